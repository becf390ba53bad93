// The page of a table: follows the table's events, draws the cards, and sends what is chosen.
// Everything shown comes from the server, as the page without scripts has it.

import { fitter, reveal } from "../replay/fit.js";
import { table } from "../replay/table.js";
import { placesOf } from "../replay/motion.js";
import { frameAt } from "../replay/seek.js";
import { arrival } from "./arrival.js";
import { choices } from "./choices.js";
import { clock } from "./clock.js";

const [root, told, notice] = ["table", "told", "notice"].map((name) => document.getElementById(name));
const SILENT = "The arena does not answer. This page waits, and goes on by itself as soon as it does.";
const AGAIN = "The match was interrupted, and has begun again with other cards.";
const RETRY_MS = 3000;
const GAP = 12; // between the parts, in pixels
const fitted = fitter(root, () => root.querySelector("[data-felt]"), below);
let shown = null; // what belongs to the table that is shown now

function show(html) {
  const before = root.querySelector("[data-sequence]");
  const felt = before?.querySelector(".felt") && html !== null ? placesOf(before.querySelector("[data-felt]")) : null;
  shown?.end();
  if (html !== null) root.innerHTML = html;
  const sitting = root.querySelector("[data-sequence]");
  const drawing = holderOf(sitting);
  const offered = choices(sitting, drawing, send);
  const ticking = clock(sitting, () => comeBack);
  const arriving = drawing && draw(sitting, drawing, felt, before?.dataset.number, offered);
  shown = { end: () => { offered.end(); ticking.end(); arriving?.end(); } };
  if (html !== null && before?.dataset.number !== sitting.dataset.number) tell(sitting);
  if (Number(sitting.dataset.number) < Number(before?.dataset.number)) say(AGAIN);
  if (sitting.dataset.state === "over") setTimeout(() => location.assign(root.dataset.page), 1500);
}

/** Returns what holds the drawing, in place of the sentences for pages without scripts; null before the
 *  first decision. */
function holderOf(sitting) {
  const drawing = sitting.querySelector("[data-felt]");
  if (drawing) sitting.querySelector(".told").hidden = true;
  return drawing;
}

/** Draws the table as replays do. What the others did arrives once: not again with the person's choice. */
function draw(sitting, drawing, before, number, offered) {
  const replay = JSON.parse(sitting.querySelector("[data-drawing]").textContent);
  const frames = replay.frames.length - 1;
  const isNew = number !== sitting.dataset.number;
  return arrival(drawing, isNew ? frames : 1, {
    draw: (place) => {
      drawing.replaceChildren(...table(replay, frameAt(replay, isNew ? place : frames - 1)));
      if (!isNew || place === frames - 1) offered.drawn();
      fitted.fit();
    },
    before,
    turns: isNew ? replay.turns : [],
  });
}

/** Returns the height of the choices, unless they are next to the table. */
function below() {
  const [cards, legal] = ["[data-felt]", ".legal-part"].map((one) => root.querySelector(one)?.getBoundingClientRect());
  return legal && legal.left < cards.right ? legal.height + GAP : GAP;
}

/** Says what has changed, for screen readers. */
function tell(sitting) {
  const news = [...sitting.querySelectorAll(".since li")].slice(-6).map((line) => line.textContent);
  told.textContent = [...news, sitting.querySelector("#state").textContent.trim()].join(". ");
}

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form));
  body.set("action", button.value);
  for (const each of form.querySelectorAll("button")) each.disabled = true;
  // Not form.action: the buttons have that name.
  const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { accept: "text/event-stream" } })
    .catch(() => null);
  if (answer?.ok) return;
  if (answer && !isDown(answer)) location.reload(); // the page says what was wrong
  say(SILENT);
  for (const each of form.querySelectorAll("button")) each.disabled = false;
}

/** Opens the page again, as soon as the arena answers. */
function comeBack() {
  setTimeout(async () => {
    const answer = await fetch(location.href).catch(() => null);
    if (answer && !isDown(answer)) location.reload();
    else { say(SILENT); comeBack(); }
  }, RETRY_MS);
}

/** Returns whether a proxy answered in place of the arena. */
function isDown(answer) {
  return answer.status >= 502 && answer.status <= 504;
}

/** Shows a sentence; an empty one hides it. */
function say(sentence) {
  notice.textContent = sentence;
  notice.hidden = !sentence;
}

/** Returns whether the page shows this state: the stream begins with the one that the page came with.
 *  To show it again would take the focus from a player who is about to choose. */
function isShown(sequence, { state, number, waits }) {
  const { dataset } = root.querySelector("[data-sequence]");
  return dataset.sequence === sequence && dataset.state === state && dataset.number === String(number) && dataset.waits === waits;
}

function follow() {
  const events = new EventSource(root.dataset.events);
  events.onmessage = ({ data, lastEventId }) => {
    const now = JSON.parse(data);
    if (!isShown(lastEventId, now)) show(now.html);
  };
  events.onopen = () => { if (notice.textContent === SILENT) say(""); };
  events.onerror = () => {
    if (["over", "lost"].includes(root.querySelector("[data-state]").dataset.state)) return;
    if (events.readyState === EventSource.CLOSED) comeBack();
    else say(SILENT); // it tries again by itself
  };
  addEventListener("pagehide", () => events.close());
}

show(null);
reveal(root);
follow();
