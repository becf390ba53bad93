// TV: of each match the moments that decided it, a second a card, and then the next match.

import { reveal } from "./replay/fit.js";
import { mount } from "./replay/mount.js";
import { frameAt, placeOf } from "./replay/seek.js";
import { seatText, teamText } from "./replay/words.js";

const STEP_MS = 1000;
const STAYS_MS = 2500; // the end of a moment
const BETWEEN_MS = 6000; // matches
const SEEKING = /^(Arrow(Left|Right)|Page(Up|Down)|Home|End|f|t)$/;
const RETRY_MS = 10000; // when nothing is on, or the pages do not answer
const root = document.querySelector("[data-tv]");
const [caption, score, link, screen, nextButton, pauseButton, full] =
  ["caption", "score", "page", "screen", "next", "pause", "full"].map((name) => document.getElementById(`tv-${name}`));
const below = root?.dataset.tv.replace(/\/tv\/next$/, ""); // the path of the pages
let drawing, waiting, going, shown = "", isPaused = false;

async function fetched(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.status === 200 ? answer.json() : null;
}

async function next() {
  const item = await fetched(`${root.dataset.tv}?after=${encodeURIComponent(shown)}`);
  const replay = item && (await fetched(below + item.replay));
  if (item) shown = item.match; // what cannot be drawn is left out
  if (!replay) {
    then(next, RETRY_MS);
    return;
  }
  const isFirst = !drawing;
  link.textContent = `${item.game}, ${item.seats.join(", ")}, for ${item.competition}`;
  link.href = below + item.page;
  drawing?.close();
  root.hidden = false;
  drawing = mount(screen, replay, {
    moved: (decision) => { score.textContent = scoreOf(replay, placeOf(replay, decision)); },
  });
  screen.querySelector(".board").prepend(caption, score); // on phones the page's head is scrolled away
  const { moments } = replay.highlights;

  function show(moment, at) {
    const [, last] = moments[moment];
    drawing.seekTo(at);
    const isOver = at === replay.frames.length - 1;
    caption.textContent = isOver ? item.outcome || replay.result.says : `${item.game}, moment ${moment + 1} of ${moments.length}`;
    if (at < last) then(() => show(moment, at + 1), STEP_MS);
    else if (moment + 1 < moments.length) then(() => show(moment + 1, moments[moment + 1][0]), STAYS_MS);
    else then(next, BETWEEN_MS);
  }
  show(0, moments[0][0]);
  if (isFirst) reveal(screen);
}

/** Returns the score at a place, of each seat or team. */
function scoreOf(replay, place) {
  const fact = frameAt(replay, place).said.find(({ name }) => name === replay.highlights.fact);
  if (!fact) return "";
  const name = fact.place === "team" ? teamText : seatText;
  return fact.value.map((text, i) => (text === null ? null : `${name(i, replay)} ${text}`)).filter(Boolean).join(" · ");
}

/** Goes on after a while, unless the visitor has paused or does not see the page: then as soon as they go on. */
function then(go, milliseconds) {
  clearTimeout(waiting);
  going = go;
  waiting = setTimeout(goOn, milliseconds);
}

function goOn() {
  if (!isPaused && !document.hidden) going();
}

function pause(isOn) {
  isPaused = isOn;
  pauseButton.textContent = isOn ? "Go on" : "Pause";
  clearTimeout(waiting);
  goOn();
}

if (root) {
  nextButton.addEventListener("click", () => { clearTimeout(waiting); next(); });
  pauseButton.addEventListener("click", () => pause(!isPaused));
  // The visitor looks for themselves.
  screen.addEventListener("pointerdown", () => pause(true));
  addEventListener("keydown", ({ key }) => { if (SEEKING.test(key)) pause(true); });
  document.addEventListener("visibilitychange", () => { clearTimeout(waiting); if (going) goOn(); });
  full.hidden = !document.fullscreenEnabled;
  full.addEventListener("click", () => root.requestFullscreen());
  next();
}
