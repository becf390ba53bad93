// Slider, buttons and keys. All of them do nothing but name a place to seek.

import { drawn, element } from "./dom.js";
import { preferences } from "./preferences.js";
import { markedPlaces, MARKS } from "./weighed.js";

const PACES = [["slow", 2200], ["normal", 1100], ["fast", 350]];
const KEYS = [
  ["← →", "one decision back or on"],
  ["Shift + ← →, Page Up, Page Down", "one deal back or on"],
  ["Home, End", "first decision, end"],
  ["Space", "play, pause"],
  ["f", "next fault"],
  ["t", "next long thought"],
  ["m, Shift + m", "next or previous marked decision of an analysis"],
  ["v", "next view: spectator, then each seat"],
  ["?", "this help"],
];

/** Returns the controls: their `element`, `show(index)`, `key(event)` for keys pressed anywhere, and
 *  `close()`, which ends playing.
 *
 *  `link()`: the address of this moment, or null. `nextView()`: goes to the next view. */
export function controls(replay, root, { seekTo, current, link, nextView }) {
  const last = replay.frames.length - 1;
  const end = replay.seats[0].rank === null ? "so far" : "the end";
  const slider = element("input", { type: "range", min: 0, max: last, step: 1, value: 0, "aria-label": "Decision" });
  slider.addEventListener("input", () => { pause(); seekTo(Number(slider.value)); });
  const pace = element("select", { "aria-label": "Pace" }, PACES.map(([name, ms]) =>
    element("option", { value: ms, selected: name === "normal" ? "" : null }, name)));
  const whose = whoseMarks(replay);
  let help = null; // made when it is asked for
  let timer = null;

  const act = {
    first: () => seekTo(0),
    deal: (step) => seekTo(next(replay.marks.deals, current(), step) ?? (step < 0 ? 0 : last)),
    step: (step) => seekTo(Math.max(0, Math.min(last, current() + step))),
    end: () => seekTo(last),
    mark: (kind) => { const place = next(replay.marks[kind], current(), 1) ?? replay.marks[kind][0]; if (place !== undefined) seekTo(place); },
    marked: (step) => {
      const places = markedPlaces(replay, whose.value === "" ? null : Number(whose.value));
      const place = next(places, current(), step) ?? places.at(step < 0 ? -1 : 0);
      if (place !== undefined) seekTo(place);
    },
    play: () => (timer === null ? play() : pause()),
    help: () => {
      help ??= bar.appendChild(helpDialog(replay));
      if (help.open) help.close();
      else help.showModal();
    },
  };
  const playing = button("▶", "Play", act.play, "play");
  const copy = link() === null ? null : button("Copy link", "Copy link to this decision", copyLink, "copy");
  const count = element("output", { class: "count" });

  function play() {
    if (current() === last) seekTo(0);
    playing.textContent = "❚❚";
    playing.setAttribute("aria-label", "Pause");
    tick();
  }
  function tick() {
    const isTrick = replay.marks.tricks.includes(current());
    timer = setTimeout(() => {
      seekTo(Math.min(last, current() + 1));
      if (current() === last) pause();
      else tick();
    }, Number(pace.value) * (isTrick ? 1.6 : 1));
  }
  function pause() {
    clearTimeout(timer);
    timer = null;
    playing.textContent = "▶";
    playing.setAttribute("aria-label", "Play");
  }
  async function copyLink() {
    const address = new URL(link(), location.href).href;
    // Browsers have no clipboard for pages over plain HTTP from another machine.
    const said = await navigator.clipboard?.writeText(address).then(() => "Copied", () => null) ?? "See the address bar";
    copy.textContent = said;
    setTimeout(() => { copy.textContent = "Copy link"; }, 1500);
  }

  const byUser = (go) => (...values) => { pause(); go(...values); };
  const bar = element("div", { class: "controls", role: "group", "aria-label": "Replay" },
    element("div", { class: "track" }, slider, marks(replay)),
    element("div", { class: "buttons" },
      button("«", "Previous deal", byUser(() => act.deal(-1))),
      button("‹", "Previous decision", byUser(() => act.step(-1))),
      playing,
      button("›", "Next decision", byUser(() => act.step(1)), "next"),
      button("»", "Next deal", byUser(() => act.deal(1))),
      count),
    element("div", { class: "buttons extras" }, pace,
      replay.marks.faults.length ? button("Fault", "Next fault", byUser(() => act.mark("faults"))) : null,
      replay.marks.long.length ? button("Long thought", "Next long thought", byUser(() => act.mark("long"))) : null,
      whose.options.length ? [
        button("‹ ?", "Previous marked decision", byUser(() => act.marked(-1))),
        whose,
        button("? ›", "Next marked decision", byUser(() => act.marked(1))),
      ] : null,
      preferences(root), copy, button("?", "Keys", act.help)));
  const extras = bar.querySelector(".extras");

  function key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || isTaken(event)) return;
    const go = actionOf(event);
    if (!go) return;
    event.preventDefault();
    if (event.key !== " " && event.key !== "?") pause();
    go();
  }
  function actionOf(event) {
    const turns = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in turns) return () => (event.shiftKey ? act.deal : act.step)(turns[event.key]);
    return {
      PageUp: () => act.deal(-1), PageDown: () => act.deal(1), Home: act.first, End: act.end, " ": act.play,
      f: () => act.mark("faults"), m: () => act.marked(1), M: () => act.marked(-1), t: () => act.mark("long"), v: nextView, "?": act.help,
    }[event.key];
  }
  function show(index) {
    slider.value = index;
    const frame = replay.frames[index];
    const text = frame.decision === undefined ? end : `${frame.decision} of ${replay.decisions}`;
    slider.setAttribute("aria-valuetext", text);
    count.textContent = text;
  }
  return { element: bar, extras, show, key, close: pause };
}

/** Returns whether the focused element needs the key itself. */
function isTaken({ key, target }) {
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog[open]")) return true;
  if (target.matches("textarea, select, input:not([type=range])") || target.isContentEditable) return true;
  return key === " " && target.matches("button:not(.lines *), a, summary");
}

/** Returns the nearest place before (step < 0) or after the current one. */
function next(places, current, step) {
  return step < 0 ? places.findLast((place) => place < current) : places.find((place) => place > current);
}

function marks(replay) {
  const last = Math.max(1, replay.frames.length - 1);
  const ticks = (kind, top) => drawn("path", {
    class: kind, d: replay.marks[kind].map((place) => `M${((1000 * place) / last).toFixed(1)} ${top}V12`).join(""),
  });
  return drawn("svg", { class: "ticks", viewBox: "0 0 1000 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    ticks("tricks", 8), ticks("deals", 2), ticks("long", 0), ticks("faults", 0), weighedKinds(replay).map((mark) => ticks(mark, 5)));
}

/** Returns the kinds of marks of an analysis, the worst last, so that it is drawn above the others. */
function weighedKinds(replay) {
  return replay.analysis ? Object.keys(MARKS).toReversed() : [];
}

/** Returns the choice of whose marks are gone through; it has no options if none has a mark. */
function whoseMarks(replay) {
  const seats = replay.seats.flatMap(({ name }, seat) => (replay.analysis && markedPlaces(replay, seat).length ? [[seat, name]] : []));
  const choices = seats.length > 1 ? [["", "all marks"], ...seats] : seats;
  return element("select", { "aria-label": "Whose marks" }, choices.map(([value, name]) => element("option", { value }, name)));
}

function button(text, label, act, kind = null) {
  const made = element("button", { type: "button", "aria-label": label, title: label, class: kind }, text);
  made.addEventListener("click", act);
  return made;
}

function helpDialog(replay) {
  const close = element("button", { type: "button" }, "Close");
  const dialog = element("dialog", { class: "help", "aria-label": "Keys" },
    element("h2", {}, "Keys"),
    element("dl", {}, KEYS.flatMap(([keys, meaning]) => [element("dt", {}, keys), element("dd", {}, meaning)])),
    element("p", {}, "Marks on the slider: ",
      ...[["deals", "deal"], ["tricks", "trick"], ["long", "long thought"], ["faults", "fault"], ...weighedKinds(replay).map((mark) => [mark, mark])].flatMap(([kind, name]) => [
        element("span", { class: `key ${kind}` }), ` ${name}  `])),
    close);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => { if (event.key === "?") { event.preventDefault(); dialog.close(); } });
  return dialog;
}
