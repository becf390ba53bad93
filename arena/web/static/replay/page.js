// The match page: fetches the document that the page names, and draws it.

import { reveal } from "./fit.js";
import { mount } from "./mount.js";

const root = document.querySelector("#replay");
const { source, at } = root.dataset;

function address(seat, decision) {
  const query = new URLSearchParams({ ...(seat === null ? {} : { seat }), at: decision });
  return `${location.pathname}?${query}`;
}

// Browsers refuse an address that changes hundreds of times in a few seconds.
const SETTLED_MS = 150;
let settling = null;

function remember(replay, decision) {
  clearTimeout(settling);
  settling = setTimeout(() => history.replaceState(null, "", address(replay.seat, decision)), SETTLED_MS);
}

/** Lets the link to a table lead to the moment that is shown. */
function offer(replay, decision) {
  const link = document.querySelector("#sit-down");
  if (!link) return;
  const address = new URL(link.href);
  address.searchParams.set("seat", replay.seat ?? 0);
  address.searchParams.set("at", Math.min(decision, replay.decisions));
  link.href = address;
}

/** Lets the commands that ask a bot again name the moment that is shown, if the bot decided there. */
function rewind(replay, decision) {
  const frame = replay.frames.find((one) => one.decision === decision);
  if (frame?.chosen_by !== "bot" && !frame?.fault) return;
  const command = document.querySelector(`[data-rewind="${frame.seat}"]`);
  if (command) command.textContent = `${command.textContent.replace(/ --at \d+$/, "")} --at ${decision}`;
}

const answer = await fetch(source).catch(() => null);
if (answer?.ok) {
  const replay = await answer.json();
  mount(root, replay, {
    at: at ? Number(at) : null,
    address,
    moved: (decision) => { remember(replay, decision); offer(replay, decision); rewind(replay, decision); },
  });
  reveal(root);
} else {
  root.classList.add("failed"); // shows the sentences that the server wrote
}
