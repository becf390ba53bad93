// The clock strip: the time of each decision against the limit, one strip a seat.

import { afterPicture, drawn, element } from "./dom.js";
import { duration } from "./words.js";

export const WIDTH = 1000;
const HEIGHT = 36;

/** Returns how far to the right a place is in a picture that is WIDTH wide. */
export function xOf(replay, index) {
  return ((index + 0.5) * WIDTH) / replay.frames.length;
}

/** Lets a click in such a picture go to the place. */
export function seekByClick(picture, replay, seekTo) {
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    seekTo(Math.max(0, Math.min(replay.frames.length - 1, Math.floor(share * replay.frames.length))));
  });
}

/** Returns the strips: their `element`, and `show(index)`, which moves the line of the moment. They follow the picture of the table. */
export function strip(replay, seekTo) {
  const found = element("details", { class: "strips", open: "" }, element("summary", {}, "Clock: time of each decision against the time left (logarithmic)"));
  const lines = [];
  let current = null;
  afterPicture(() => {
    found.append(...rows(replay, lines, seekTo));
    show(current);
  });

  function show(index) {
    current = index;
    for (const line of lines) line.setAttribute("transform", `translate(${xOf(replay, index).toFixed(1)} 0)`);
  }
  return { element: found, show };
}

/** Returns a strip for each seat that has decided; adds to `lines` the line of the moment of each. */
function rows(replay, lines, seekTo) {
  const most = Math.max(...replay.frames.map((frame) => frame.time_left_ms ?? 0), 1);
  const height = (ms) => (HEIGHT * Math.log1p(ms)) / Math.log1p(most);
  const x = (index) => xOf(replay, index);
  return replay.seats.flatMap((seat, number) => {
    const own = replay.frames.flatMap((frame, index) => (frame.seat === number ? [[index, frame]] : []));
    if (!own.length) return [];
    const slowest = Math.max(...own.map(([, frame]) => frame.milliseconds));
    const least = Math.min(...own.map(([, frame]) => frame.time_left_ms));
    const bars = own.filter(([, frame]) => frame.milliseconds > 0)
      .map(([index, frame]) => `M${x(index).toFixed(1)} ${HEIGHT}V${(HEIGHT - height(frame.milliseconds)).toFixed(1)}`).join("");
    const limit = own.map(([index, frame], i) => `${i ? "L" : "M"}${x(index).toFixed(1)} ${(HEIGHT - height(frame.time_left_ms)).toFixed(1)}`).join("");
    const line = drawn("path", { class: "now", d: `M0 0V${HEIGHT}` });
    lines.push(line);
    const said = `${seat.name}: slowest ${duration(slowest)}, least time left ${duration(least)}`;
    const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": said },
      drawn("path", { class: "bars", d: bars }),
      drawn("path", { class: "limit", d: limit }),
      line);
    seekByClick(picture, replay, seekTo);
    return [element("div", { class: "strip" }, element("span", { class: "said" }, said), picture)];
  });
}
