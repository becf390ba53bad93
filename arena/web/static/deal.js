// Steps through the decisions of all matches of a deal at once: by buttons, by keys, by playing.

const PAUSE_MS = 700;

const controls = document.querySelector("[data-deal-controls]");
const rows = [...document.querySelectorAll(".deal-table tbody tr")];
const said = document.querySelector("[data-said]");
const play = document.querySelector("[data-play]");
const later = document.querySelector('.pager a[rel="next"]');
const earlier = document.querySelector('.pager a[rel="prev"]');
let current = -1;
let timer = 0;

/** Shows the row at this place; beyond the ends, the page before or after. */
function seek(place) {
  if (place >= rows.length) {
    stop();
    if (later) location.assign(later.href);
    return;
  }
  if (place < 0) {
    if (current === 0 && earlier) location.assign(earlier.href);
    return;
  }
  rows[current]?.classList.remove("now");
  rows[current]?.removeAttribute("aria-current");
  current = place;
  const row = rows[current];
  row.classList.add("now");
  row.setAttribute("aria-current", "step");
  row.scrollIntoView({ block: "center", inline: "nearest" });
  history.replaceState(null, "", `#${row.id}`);
  said.textContent = sentence(row);
}

function sentence(row) {
  const number = row.id.slice(1);
  const differ = row.querySelector("td.other") ? "the matches differ" : "all alike";
  return `Decision ${number}: ${differ}`;
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "▶ Play";
  play.setAttribute("aria-pressed", "false");
}

function toggle() {
  if (timer) {
    stop();
    return;
  }
  play.textContent = "❚❚ Pause";
  play.setAttribute("aria-pressed", "true");
  timer = setInterval(() => seek(current + 1), PAUSE_MS);
  seek(current + 1);
}

const KEYS = { ArrowDown: 1, ArrowRight: 1, j: 1, ArrowUp: -1, ArrowLeft: -1, k: -1 };

/** Keys that a focused part of the page has a use for are left to it. */
function isOwn(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return false;
  if (event.target.closest("input, textarea, select")) return false;
  if (event.key === " ") return !event.target.closest("button, a, summary");
  const wide = event.target.closest(".scroll"); // which these keys scroll
  return !(wide && wide.scrollWidth > wide.clientWidth && /Left|Right/.test(event.key));
}

function begin() {
  const wanted = rows.findIndex((row) => `#${row.id}` === location.hash);
  if (wanted >= 0) seek(wanted);
}

if (controls && rows.length) {
  controls.hidden = false;
  for (const button of controls.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => seek(current + Number(button.dataset.step)));
  }
  play.addEventListener("click", toggle);
  document.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    if ((!step && event.key !== " ") || !isOwn(event)) return;
    event.preventDefault();
    if (step) seek(current + step);
    else toggle();
  });
  window.addEventListener("hashchange", begin);
  begin();
}
