// The page of a table: follows the table's events, draws the cards, and sends what is chosen.
// Everything shown comes from the server, as the page without scripts has it.

import { fitter, reveal } from "../replay/fit.js";
import { table } from "../replay/table.js";
import { frameAt } from "../replay/seek.js";
import { choices } from "./choices.js";
import { clock } from "./clock.js";

const root = document.getElementById("table");
const told = document.getElementById("told");
const RETRY_MS = 3000;
const GAP = 12; // between the parts, in pixels
const fitted = fitter(root, () => root.querySelector("[data-felt]"), below);
let shown = null; // what belongs to the table that is shown now

function show(html) {
  const before = root.querySelector("[data-sequence]");
  if (html !== null) root.innerHTML = html;
  const sitting = root.querySelector("[data-sequence]");
  shown?.end();
  const drawing = draw(sitting);
  const offered = choices(sitting, drawing, send);
  const ticking = clock(sitting, () => setTimeout(() => location.reload(), RETRY_MS));
  shown = { end: () => { offered.end(); ticking.end(); } };
  if (html !== null && before?.dataset.number !== sitting.dataset.number) tell(sitting);
  if (sitting.dataset.state === "over") setTimeout(() => location.assign(root.dataset.page), 1500);
}

/** Draws the table as replays do, in place of the sentences for pages without scripts. */
function draw(sitting) {
  const data = sitting.querySelector("[data-drawing]");
  if (!data || data.textContent === "null") return null;
  const replay = JSON.parse(data.textContent);
  const holder = sitting.querySelector("[data-felt]");
  holder.replaceChildren(...table(replay, frameAt(replay, 0)));
  sitting.querySelector(".told").hidden = true;
  fitted.fit();
  return holder;
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
  if (!answer?.ok) location.reload(); // the page says what was wrong
}

/** Returns whether the page shows this state: the stream begins with the one that the page came with.
 *  To show it again would take the focus from a player who is about to choose. */
function isShown(sequence, { state, number }) {
  const { dataset } = root.querySelector("[data-sequence]");
  return dataset.sequence === sequence && dataset.state === state && dataset.number === String(number);
}

function follow() {
  const events = new EventSource(root.dataset.events);
  events.onmessage = ({ data, lastEventId }) => {
    const now = JSON.parse(data);
    if (!isShown(lastEventId, now)) show(now.html);
  };
  events.onerror = () => {
    if (events.readyState !== EventSource.CLOSED) return; // it tries again by itself
    if (["over", "lost"].includes(root.querySelector("[data-state]").dataset.state)) return;
    setTimeout(() => location.reload(), RETRY_MS);
  };
  addEventListener("pagehide", () => events.close());
}

show(null);
reveal(root);
follow();
