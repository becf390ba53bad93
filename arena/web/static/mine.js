// Remembers the visitor's own bots: a star in each row of the standings, and links to those that have one.
//
// A row has a <th class="name"> with a link to the bot's page, whose address has the name; <p data-mine hidden> takes the
// links.
// Stars are stored by this browser alone.
const KEY = "my-bots";
const MOST = 50;

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((name) => typeof name === "string").slice(0, MOST) : [];
  } catch {
    return []; // storage is switched off, or holds what is not ours
  }
}

function toggle(bot) {
  const mine = stored();
  const next = mine.includes(bot) ? mine.filter((name) => name !== bot) : [...mine, bot].slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    return; // storage is switched off
  }
  mark();
}

const rows = () => document.querySelectorAll(".standings tr:has(> .name)");
const botOf = (row) => decodeURIComponent(row.querySelector(".name a").pathname.split("/").at(-1));

function starOf(row) {
  const known = row.querySelector(".star");
  if (known) return known;
  const star = document.createElement("button");
  star.type = "button";
  star.className = "star";
  star.addEventListener("click", () => toggle(botOf(row)));
  row.querySelector(".name").append(star);
  return star;
}

function mark() {
  const mine = stored();
  for (const row of rows()) {
    const isMine = mine.includes(botOf(row));
    const star = starOf(row);
    const text = isMine ? "★" : "☆";
    if (star.textContent !== text) star.textContent = text;
    star.setAttribute("aria-pressed", String(isMine));
    star.setAttribute("aria-label", "One of my bots");
    row.classList.toggle("mine", isMine);
  }
  const list = document.querySelector("[data-mine]");
  if (!list || list.dataset.mine === JSON.stringify(mine)) return;
  list.dataset.mine = JSON.stringify(mine);
  list.hidden = !mine.length;
  list.replaceChildren("My bots: ", ...mine.flatMap((bot) => {
    const link = document.createElement("a");
    link.href = `?${new URLSearchParams({ find: bot })}#standings`;
    link.textContent = bot.replace(/\p{C}/gu, "\ufffd"); // what would hide or reorder it
    return [link, " "];
  }));
}

mark();
// The standings are swapped for newer ones.
const standings = document.querySelector("#standings");
if (standings) new MutationObserver(mark).observe(standings, { childList: true });
