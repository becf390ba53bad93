// Keeps the parts of a page up to date while it is looked at.
//
// <main data-live="/ladders/main/events">: the events that say when something has changed.
// data-live-seen="412/3": the rated and the queued jobs that the page shows already.
// data-live-latest="3f2a91c07e-0": of a page that shows matches and nothing else, the latest of all.
// [data-part="standings"]: an element whose content is that of ?part=standings of this page.
// [data-live-line]: shows in words what there is now; [data-live-pause]: a button.
const POLL_MS = 15000; // without events, because there are too many streams already
const REST_MS = 5000; // between two looks at a page that many may watch
const last = new WeakMap(); // the text of each part as it was fetched last
let root, line, pause, source, polling, resting, isStale = false;

const focusable = (part) => [...part.querySelectorAll("a, button, input, select, [tabindex]")];

function swap(part, text) {
  const scrolled = [...part.querySelectorAll(".scroll")].map((box) => [box.scrollLeft, box.scrollTop]);
  const focused = focusable(part).indexOf(document.activeElement);
  const open = [...part.querySelectorAll("details")].map((details) => details.open);
  part.replaceChildren(document.createRange().createContextualFragment(text));
  part.querySelectorAll(".scroll").forEach((box, i) => box.scrollTo(...(scrolled[i] ?? [0, 0])));
  part.querySelectorAll("details").forEach((details, i) => (details.open = open[i] ?? details.open));
  focusable(part)[focused]?.focus({ preventScroll: true });
}

/** Fetches the parts again, with a delay if they have just been fetched. */
function freshen() {
  isStale = true;
  if (!resting) look();
}

function look() {
  resting = null;
  if (!isStale) return;
  isStale = false;
  resting = setTimeout(look, REST_MS);
  refresh();
}

async function refresh() {
  for (const part of document.querySelectorAll("[data-part]")) {
    const address = new URL(location.href);
    address.searchParams.set("part", part.dataset.part);
    const answer = await fetch(address).catch(() => null); // what failed is fetched the next time
    if (!answer?.ok) continue;
    const text = await answer.text();
    if (last.get(part) !== text) swap(part, text);
    last.set(part, text);
  }
}

function tell(event) {
  const { rated, queued, latest } = JSON.parse(event.data);
  if (line) line.textContent = `${rated ? `${rated} rated, ` : ""}${queued} in play or waiting`;
  const { liveSeen, liveLatest } = root.dataset;
  const onlyMatches = liveLatest !== undefined;
  const seen = onlyMatches ? liveLatest === (latest ?? "") : liveSeen === `${rated}/${queued}`;
  delete root.dataset.liveSeen; // the page was made with these
  if (onlyMatches) root.dataset.liveLatest = latest ?? "";
  if (!seen) freshen();
}

function update() {
  source?.close();
  clearInterval(polling);
  isStale = false; // the first event of another source tells
  if (!root || document.hidden || pause?.ariaPressed === "true") return;
  source = new EventSource(root.dataset.live);
  source.onmessage = tell;
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) polling = setInterval(refresh, POLL_MS); }; // refused
}

function toggle() {
  pause.ariaPressed = pause.ariaPressed !== "true";
  update();
}

function begin() {
  const found = document.querySelector("[data-live]");
  if (found === root) return;
  root = found;
  [line, pause] = ["[data-live-line]", "[data-live-pause]"].map((name) => document.querySelector(name));
  pause?.addEventListener("click", toggle);
  if (pause) pause.hidden = false;
  update();
}

document.addEventListener("visibilitychange", update);
document.addEventListener("htmx:after:settle", begin); // another list has been swapped in
begin();
