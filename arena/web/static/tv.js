// TV: draws a finished match, presses its play button, and goes on to the next when it is over.

import { mount } from "./replay/mount.js";

const BETWEEN_MS = 6000; // matches
const RETRY_MS = 10000; // when nothing is on, or the pages do not answer
const LONG = 120; // decisions; what has more is played fast
const root = document.querySelector("[data-tv]");
const [caption, link, screen, button] = ["#tv-caption", "#tv-page", "#tv-screen", "#tv-next"].map((name) => document.querySelector(name));
let drawing, waiting, shown = "";

const below = root.dataset.tv.replace(/\/tv\/next$/, ""); // the path of the pages

async function fetched(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.status === 200 ? answer.json() : null;
}

async function next() {
  clearTimeout(waiting);
  const item = await fetched(`${root.dataset.tv}?after=${encodeURIComponent(shown)}`);
  const replay = item && (await fetched(below + item.replay));
  if (item) shown = item.match; // what cannot be drawn is left out
  if (!replay) {
    waiting = setTimeout(next, RETRY_MS);
    return;
  }
  caption.textContent = item.caption;
  link.textContent = `${item.game}, ${item.seats.join(", ")}, for ${item.competition}`;
  link.href = below + item.page;
  drawing?.close();
  drawing = mount(screen, replay, {
    moved: (decision) => {
      clearTimeout(waiting);
      if (decision > replay.decisions) waiting = setTimeout(whenSeen, BETWEEN_MS);
    },
  });
  const pace = screen.querySelector("select[aria-label=Pace]");
  if (replay.decisions > LONG) pace.selectedIndex = pace.options.length - 1;
  root.hidden = false;
  screen.querySelector(".controls .play").click();
}

/** Goes on at once, or as soon as the page is visible again. */
function whenSeen() {
  if (document.hidden) document.addEventListener("visibilitychange", whenSeen, { once: true });
  else next();
}

if (root) {
  button.addEventListener("click", next);
  next();
}
