// The expected rank of each seat over the match, and the worth of each action of the decision.

import { drawn, element } from "./dom.js";
import { decisionAt } from "./seek.js";
import { WIDTH, seekByClick, xOf } from "./strip.js";
import { estimate, MARKS } from "./weighed.js";
import { coloured, ordinal } from "./words.js";

const HEIGHT = 120;
const STYLES = 8; // colours and dashes that the style sheet tells apart

/** Returns the curves and the actions: their `element`, empty without an analysis, and `show(index)`. */
export function expectation(replay, seekTo) {
  if (!replay.analysis) return { element: "", show: () => {} };
  const now = drawn("path", { class: "now", d: `M0 0V${HEIGHT}` });
  const actions = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Estimates of the actions" });
  const found = element("details", { class: "expectation", open: "" },
    element("summary", {}, "Analysis: expected rank of each seat, with its standard error"),
    curves(replay, now, seekTo), actions);

  function show(index) {
    now.setAttribute("transform", `translate(${xOf(replay, index).toFixed(1)} 0)`);
    actions.replaceChildren(estimates(replay, index));
  }
  return { element: found, show };
}

function curves(replay, now, seekTo) {
  const last = lastRank(replay);
  const lines = replay.seats.map((_, seat) => pointsOf(replay, seat)).filter((line) => line.length);
  const y = (rank) => (HEIGHT * (Math.max(1, Math.min(last, rank)) - 0.9)) / (last - 0.8);
  const place = ([index, rank]) => `${xOf(replay, index).toFixed(1)} ${y(rank).toFixed(1)}`;
  const side = (line, sign) => line.map(([index, mean, error]) => place([index, mean + sign * error]));
  const style = (seat) => `line-${(seat % STYLES) + 1}`;
  const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    lines.map((line, seat) => drawn("path", { class: `band ${style(seat)}`, d: `M${[...side(line, 1), ...side(line, -1).toReversed()].join("L")}Z` })),
    lines.map((line, seat) => drawn("path", { class: `line ${style(seat)}`, d: `M${line.map(place).join("L")}` })),
    marksOn(replay, y), now);
  seekByClick(picture, replay, seekTo);
  return element("div", { class: "curves" },
    element("div", { class: "ranks", "aria-hidden": "true" }, element("span", {}, ordinal(1)), element("span", {}, ordinal(last))),
    picture,
    element("ul", { class: "legend" }, lines.map((line, seat) => element("li", {},
      drawn("svg", { width: 24, height: 8, "aria-hidden": "true" }, drawn("path", { class: `line ${style(seat)}`, d: "M1 4H23" })),
      course(replay, seat, line)))));
}

/** Returns the expected ranks of a seat, each with its place and error, and its rank at the end. */
function pointsOf(replay, seat) {
  const points = replay.frames.flatMap(({ weighed }, index) => (weighed ? [[index, ...weighed.expected[seat]]] : []));
  return points.length ? [...points, [replay.frames.length - 1, replay.seats[seat].rank, 0]] : [];
}

/** Returns a curve in words. */
function course(replay, seat, line) {
  const { name, rank } = replay.seats[seat];
  const said = ([index, ...expected]) => `${estimate(expected)} at decision ${decisionAt(replay, index)}`;
  const worst = line.slice(0, -1).reduce((most, point) => (point[1] > most[1] ? point : most));
  return `${name}: ${said(line[0])}, at worst ${said(worst)}, ${ordinal(rank)} at the end`;
}

function marksOn(replay, y) {
  return Object.keys(MARKS).map((mark) => drawn("path", {
    class: `mark-${mark}`,
    d: replay.marks[mark].map((index) => {
      const { seat, weighed } = replay.frames[index];
      return `M${xOf(replay, index).toFixed(1)} ${y(weighed.expected[seat][0]).toFixed(1)}h0`;
    }).join(""),
  }));
}

/** Returns the rank of a seat behind all its rivals. */
function lastRank({ seats }) {
  return Math.max(2, ...seats.map(({ team }) => 1 + seats.filter((other) => other.team !== team).length));
}

/** Returns the estimates of a decision's actions, or why there are none. */
function estimates(replay, index) {
  const { decision, action, weighed } = replay.frames[index];
  if (!weighed) return element("p", { class: "muted" }, "Not weighed: the bot had no choice here, or the arena chose.");
  const heading = (text) => element("th", { scope: "col", class: text === "Action" ? null : "number" }, text);
  const figure = (text) => element("td", { class: "number" }, text);
  return element("table", {},
    element("caption", {}, `Actions at decision ${decision}, the best first`),
    element("thead", {}, element("tr", {}, ["Action", "Expected rank", "Behind the best", "Expected score", "Guesses"].map(heading))),
    element("tbody", {}, weighed.actions.map((one) => element("tr", { "aria-current": one.action === action ? "true" : null },
      element("th", { scope: "row" }, ...coloured(replay.choices[one.action]), one.action === action ? " (chosen)" : ""),
      figure(estimate(one.rank)), figure(estimate(one.behind)), figure(estimate(one.score)), figure(weighed.exact ? "exact" : one.guesses)))));
}
