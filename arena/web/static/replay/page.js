// The match page: fetches the documents that the page names, and draws them.

import { awaitAnalysis } from "./awaited.js";
import { reveal } from "./fit.js";
import { mount } from "./mount.js";

const TRIES = 4;
const PAUSE_MS = 500;
const root = document.querySelector("#replay");
const { source, at } = root.dataset;

function address(seat, decision) {
  const query = new URLSearchParams({ ...(seat === null ? {} : { seat }), at: decision });
  return `${location.pathname}?${query}`;
}

// Browsers refuse an address that changes hundreds of times in a few seconds. The part of the page
// that the visitor came to (#analysis) stays in it.
const SETTLED_MS = 150;
let settling = null;

function remember(replay, decision) {
  clearTimeout(settling);
  settling = setTimeout(
    () => history.replaceState(null, "", address(replay.seat, decision) + location.hash), SETTLED_MS);
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

// A change of the visitor's network ends all requests that are under way: they are made again.
async function fetched(address, tries = TRIES) {
  if (!address) return null;
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch {
    if (tries === 1) return null;
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    return fetched(address, tries - 1);
  }
}

let mounted = null;
let shown = at ? Number(at) : null;

function draw(replay, analysis) {
  mounted?.close();
  mounted = mount(root, replay, {
    analysis,
    at: shown,
    address,
    moved: (decision) => {
      shown = decision;
      remember(replay, decision);
      offer(replay, decision);
      rewind(replay, decision);
    },
  });
}

const documents = Promise.all([fetched(source), fetched(root.dataset.analysis)]);

// Before they arrive: an analysis that is asked for at once must not leave the page either.
const part = document.querySelector("#analysis");
if (part) {
  awaitAnalysis(part, async () => {
    const [replay] = await documents;
    if (replay) draw(replay, await fetched(`${location.pathname}/analysis.json`));
  });
}

const [replay, known] = await documents;
if (replay) {
  draw(replay, known);
  reveal(root);
} else {
  root.classList.add("failed"); // shows the sentences that the server wrote
}
