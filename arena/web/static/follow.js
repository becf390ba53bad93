// Follows a match in play: draws it again whenever there is more of it.

import { reveal } from "./replay/fit.js";
import { mount } from "./replay/mount.js";

const LEADS_MS = 5000; // to the match that is over, unless the visitor has gone back to a decision
const POLL_MS = 5000; // without events, because there are too many streams already
const root = document.querySelector("[data-follow]");
const line = document.querySelector("#follow-line");
const list = document.querySelector("#follow-matches");
let drawing, source, polling;
let place = null; // the decision that the visitor went back to; null: the newest

async function draw() {
  const answer = await fetch(`${root.dataset.follow}/replay.json`).catch(() => null); // the next event tries again
  if (!answer?.ok) return;
  const replay = await answer.json();
  const isFirst = !drawing;
  drawing?.close();
  drawing = mount(root, replay, {
    at: place ?? replay.decisions + 1,
    moved: (decision) => { place = decision > replay.decisions ? null : decision; },
  });
  if (isFirst) reveal(root);
}

function tell(event) {
  const { sentence, decisions, matches } = JSON.parse(event.data);
  line.textContent = sentence;
  if (decisions !== null) draw();
  if (!matches.length) return;
  list.replaceChildren(...matches.map((match) => {
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    link.href = new URL(`../../matches/${encodeURIComponent(match)}`, import.meta.url); // pages may be below a path
    link.textContent = `Match ${match}`;
    return item;
  }));
  stop();
  const [first] = list.querySelectorAll("a");
  setTimeout(() => { if (place === null) location.assign(first.href); }, LEADS_MS);
}

function stop() {
  source?.close();
  clearInterval(polling);
}

function follow() {
  stop();
  if (document.hidden || list.children.length) return;
  source = new EventSource(`${root.dataset.follow}/events`);
  source.onmessage = tell;
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) polling = setInterval(draw, POLL_MS); // refused
  };
}

if (root) {
  document.addEventListener("visibilitychange", follow);
  follow();
}
