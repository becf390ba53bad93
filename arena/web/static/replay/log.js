// The log next to the table: one line a decision, and what happened in between. A click seeks.

import { afterPicture, element } from "./dom.js";
import { MARKS } from "./weighed.js";
import { coloured, duration } from "./words.js";

const PART = 100; // lines that are added at once

/** Returns the log: its `element`, and `show(index)`, which marks the lines of a moment. The lines follow
 *  the picture of the table, a part at a time: thousands take a simple phone longer than the table. */
export function log(replay, seekTo) {
  let lines = [];
  const buttons = [];
  const list = element("ol", { class: "lines" });
  const first = new Map(); // by frame, its last line, which is the decision itself
  let marked = [];
  let current = null;

  function add() {
    if (!list.isConnected) return;
    const from = buttons.length;
    const part = lines.slice(from, from + PART).map((line) => lineButton(line, seekTo));
    buttons.push(...part);
    list.append(...part.map((button) => element("li", {}, button)));
    if (first.get(current) >= from) show(current); // its line was not there before
    if (buttons.length < lines.length) setTimeout(add);
  }
  afterPicture(() => {
    lines = linesOf(replay);
    lines.forEach(({ index }, line) => first.set(index, line));
    add();
  });

  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = buttons.indexOf(event.target);
    const next = buttons[at + step];
    if (step === undefined || !next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    seekTo(lines[at + step].index);
  });

  function show(index) {
    current = index;
    for (const button of marked) button.removeAttribute("aria-current");
    for (const button of buttons) if (button.tabIndex === 0) button.tabIndex = -1;
    marked = buttons.filter((_, i) => lines[i].index === index);
    for (const button of marked) button.setAttribute("aria-current", "step");
    const own = buttons[first.get(index)];
    if (!own) return;
    own.tabIndex = 0;
    follow();
  }

  /** Scrolls the list alone, never the page, until the current line is in its middle, unless it is visible. */
  function follow() {
    const line = marked.at(-1);
    if (!line) return;
    const [box, shown] = [list, line].map((one) => one.getBoundingClientRect());
    if (shown.top < box.top || shown.bottom > box.bottom) list.scrollTop += (shown.top + shown.bottom - box.top - box.bottom) / 2;
  }
  new ResizeObserver(follow).observe(list);
  return { element: list, show };
}

function lineButton({ index, kind, text, time, isLong, mark }, seekTo) {
  const button = element("button", { type: "button", tabindex: "-1", class: kind },
    element("span", {}, ...coloured(text)),
    mark ? element("small", { class: `sign ${mark}` }, `${MARKS[mark]} ${mark}`) : null,
    time ? element("small", { class: isLong ? "long" : null }, time) : null);
  button.addEventListener("click", () => seekTo(index));
  return button;
}

function linesOf(replay) {
  const long = new Set(replay.marks.long);
  return replay.frames.flatMap((frame, index) => {
    const events = frame.events.filter((event) => event.says).map((event) => ({
      index, text: event.says, kind: event.verb === replay.deal ? "event first" : "event",
    }));
    if (frame.action === undefined) return [...events, { index, text: replay.result.says, kind: "end" }];
    const kind = frame.fault ? "choice at-fault" : "choice";
    const time = frame.chosen_by === "bot" ? duration(frame.milliseconds) : frame.fault?.kind ?? frame.chosen_by;
    return [...events, { index, text: `${frame.decision}. ${frame.says}`, kind, time, isLong: long.has(index), mark: frame.weighed?.mark }];
  });
}
