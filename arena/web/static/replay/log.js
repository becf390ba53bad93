// The log next to the table: one line a decision, and what happened in between. A click seeks.

import { element } from "./dom.js";
import { MARKS } from "./weighed.js";
import { coloured, duration } from "./words.js";

const FRAMES_UNTIL_LAID_OUT = 3;
const MOST_FRAMES = 60; // in which a line is looked for

/** Returns the log: its `element`, and `show(index)`, which marks the lines of a moment. */
export function log(replay, seekTo) {
  const lines = linesOf(replay);
  const buttons = lines.map(({ index, kind, text, time, isLong, mark }) => {
    const button = element("button", { type: "button", tabindex: "-1", class: kind },
      element("span", {}, ...coloured(text)),
      mark ? element("small", { class: `sign ${mark}` }, `${MARKS[mark]} ${mark}`) : null,
      time ? element("small", { class: isLong ? "long" : null }, time) : null);
    button.addEventListener("click", () => seekTo(index));
    return button;
  });
  const list = element("ol", { class: "lines" }, buttons.map((button) => element("li", {}, button)));
  const first = new Map(); // by frame, its last line, which is the decision itself
  lines.forEach(({ index }, line) => first.set(index, line));
  let marked = [];

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
    for (const button of marked) button.removeAttribute("aria-current");
    for (const button of buttons) if (button.tabIndex === 0) button.tabIndex = -1;
    marked = lines.flatMap((line, i) => (line.index === index ? [buttons[i]] : []));
    for (const button of marked) button.setAttribute("aria-current", "step");
    const own = buttons[first.get(index)];
    if (!own) return;
    own.tabIndex = 0;
    follow();
  }

  /** Scrolls the list alone, never the page, until the current line is in its middle, unless it is visible.
   *  Browsers lay out lines only once they are near, and then some are higher than expected. */
  function follow(frames = FRAMES_UNTIL_LAID_OUT, most = MOST_FRAMES) {
    const line = marked.at(-1);
    if (!line?.isConnected) return;
    const [box, shown] = [list, line].map((one) => one.getBoundingClientRect());
    const isHidden = shown.top < box.top || shown.bottom > box.bottom;
    if (isHidden) list.scrollTop += (shown.top + shown.bottom - box.top - box.bottom) / 2;
    const left = isHidden ? FRAMES_UNTIL_LAID_OUT : frames - 1;
    if (left > 0 && most > 0) requestAnimationFrame(() => follow(left, most - 1));
  }
  new ResizeObserver(() => follow()).observe(list);
  new IntersectionObserver(() => follow()).observe(list); // on a phone it is below the table
  return { element: list, show };
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
