// The table at one moment. `seek` is a pure function: it reads nothing but its arguments.

import { mark } from "./cards.js";
import { element } from "./dom.js";
import { frameAt } from "./seek.js";
import { sideColour, sideOf } from "./sides.js";
import { betterAction, estimate, markSentence, MARKS } from "./weighed.js";
import { coloured, counted, duration, list, ordinal, seatText, teamText } from "./words.js";
import { zoneElement, zoneSentence } from "./zones.js";

const NONE = new Map();
const SEAT = /\((seat \d+)\)$/; // where one bot has several seats
const KIND_ORDER = ["hand", "trick", "column", "row", "aces", "pile", "stock"];

/** Returns the drawing of a document at a place. */
export function seek(replay, index) {
  const frame = frameAt(replay, index);
  return element("div", { class: "stage" },
    ...table(replay, frame),
    decision(replay, frame),
    records(replay, frame));
}

/** Returns the sentence of a moment. */
export function stepSentence(replay, index) {
  const entry = replay.frames[index];
  if (entry.action === undefined) return replay.result.says;
  return `Decision ${entry.decision} of ${replay.decisions}: ${entry.says}.`;
}

/** Returns a moment for the eye and for the ear: facts, the drawing, and the same in sentences. */
export function table(replay, frame) {
  return [factList(replay, frame), felt(replay, frame), sentences(replay, frame)];
}

/** Returns the drawing: seats around the table, and the cards between them. */
function felt(replay, frame) {
  const count = replay.seats.length;
  const first = replay.seat ?? 0;
  const hasColumns = replay.zones.some((zone) => zone.owner !== null && zone.kind === "column");
  const own = (seat) => [...frame.zones.keys()].filter((place) => replay.zones[place].owner === seat);
  const around = Array.from({ length: count }, (_, i) => (first + i) % count)
    .filter((seat) => own(seat).length || !hasColumns);
  const isWide = replay.zones.some((zone) => zone.owner === null && zone.kind === "column");
  const plan = hasColumns ? `panels${around.length === 1 ? " single" : ""}`
    : count > 4 ? "many" : `${isWide ? "wide" : "ring"}-${count}`;
  const seats = around.map((seat) => seatElement(replay, frame, seat, own(seat), sideOf(replay, seat) ?? (seat === first ? "near" : "far")));
  const [near, ...others] = hasColumns ? [null, ...seats] : seats;
  const middle = middleElement(replay, frame, own(null));
  return element("div", { class: `felt ${plan}`, "aria-hidden": "true" }, others, middle, near);
}

function seatElement(replay, frame, seat, places, side) {
  const { entry } = frame;
  const chosen = entry.seat === seat ? cardsOf(entry) : NONE;
  const isActing = entry.seat === seat;
  const zones = arranged(replay, places);
  return element("div", { class: `seat ${side}${isActing ? " acting" : ""}`, "data-seat": seat },
    plate(replay, frame, seat),
    zones.map((line) => element("div", { class: "zones" }, line.map((place) =>
      zoneElement(replay, frame, place, replay.zones[place].kind === "hand" ? chosen : NONE,
        isActing ? touch(entry, replay.zones[place]) : "")))));
}

/** Returns the zones in lines: columns by themselves, then the others, largest kinds first. */
function arranged(replay, places) {
  const visible = places.filter((place) => replay.zones[place].kind !== "record");
  const kindOf = (place) => KIND_ORDER.indexOf(replay.zones[place].kind);
  const sorted = visible.sort((a, b) => kindOf(a) - kindOf(b) || a - b);
  const columns = sorted.filter((place) => replay.zones[place].kind === "column");
  const others = sorted.filter((place) => replay.zones[place].kind !== "column");
  return [columns, others].filter((line) => line.length);
}

function middleElement(replay, frame, places) {
  const { entry } = frame;
  const chosen = cardsOf(entry);
  const inRows = new Set(replay.rows.flat());
  const lines = [
    ...(replay.seat === 1 && replay.seats.length === 2 ? replay.rows.toReversed() : replay.rows)
      .map((row) => row.filter((place) => frame.zones.has(place))),
    ...arranged(replay, places.filter((place) => !inRows.has(place))),
  ].filter((line) => line.length);
  return lines.length ? element("div", { class: "middle" }, lines.map((line) =>
    element("div", { class: "zones" }, line.map((place) =>
      zoneElement(replay, frame, place, chosen, touch(entry, replay.zones[place])))))) : null;
}

/** Returns how the cards of a decision are drawn, by card: those of a better action, and those chosen. */
function cardsOf(entry) {
  const as = (kind, action) => wordsOf(action).map((word) => [word, kind]);
  return new Map([...as("better", betterAction(entry)), ...as("chosen", entry.action)]);
}

/** Returns how a zone is drawn that is the actor's or nobody's, and that the action or a better one names. */
function touch(entry, zone) {
  if (zone.owner !== null && zone.owner !== entry.seat) return "";
  const names = (action) => wordsOf(action).some((word) => zone.called.includes(word));
  return names(entry.action) ? " touched" : names(betterAction(entry)) ? " better" : "";
}

function wordsOf(action) {
  return (action ?? "").split(" ").slice(1);
}

function plate(replay, frame, seat) {
  const { name, team, rank, score, fault } = replay.seats[seat];
  const partners = replay.seats.filter((each, other) => each.team === team && other !== seat);
  const left = timeLeft(replay, frame.index, seat);
  const badge = (text, kind = "") => element("span", { class: `badge ${kind}`.trim() }, text);
  return element("div", { class: "plate" },
    element("span", { class: `name ${sideColour(replay, seat)}`.trim() }, name),
    partners.length ? badge(`with ${list(partners.map((each) => each.name.match(SEAT)?.[1] ?? each.name))}`) : null,
    frame.isEnd && rank !== null ? badge(`${ordinal(rank)}, ${counted(score, replay.score)}`, rank === 1 ? "first" : "") : null,
    fault && faulted(replay, frame.index, seat) ? badge(fault, "failed") : null,
    frame.said.map((fact) => shownAt(fact, seat, team, badge)),
    left === null ? null : element("span", { class: "chip clock" }, "time ", element("b", {}, duration(left))));
}

/** Returns a fact as its seat's plate shows it; null if it is shown elsewhere, or is no fact of this seat. */
function shownAt({ name, place, label, value }, seat, team, badge) {
  const text = place === "table" ? null : value[place === "team" ? team : seat] ?? null;
  if (text === null) return null;
  const shown = text ? element("span", { class: "chip" }, `${label} `, element("b", {}, text)) : badge(label);
  shown.dataset.fact = name;
  return shown;
}

/** Returns the time that a seat has left at a place, as far as the view shows it. */
function timeLeft(replay, index, seat) {
  const current = replay.frames[index];
  if (current.seat === seat) return current.time_left_ms;
  for (let place = index - 1; place >= 0; place -= 1) {
    const entry = replay.frames[place];
    if (entry.seat === seat) return entry.time_left_ms - entry.milliseconds;
  }
  return replay.seat === null || replay.seat === seat ? replay.clock.bank_ms : null;
}

function faulted(replay, index, seat) {
  return replay.frames.slice(0, index + 1).some((entry) => entry.seat === seat && entry.chosen_by === "at fault")
    || index === replay.frames.length - 1;
}

/** Returns the facts of the table, and those of who sits beyond the seats. */
function factList(replay, frame) {
  const items = frame.said.map(({ name, place, label, value }) => {
    const text = place === "table" ? value : value[replay.seats.length] ?? null;
    if (text === null || place === "team") return null;
    const suit = replay.deck.suits[frame.facts.get(name)];
    const symbol = suit?.name === text ? suit.symbol || mark(suit) : null;
    const whose = place === "table" ? null : `, ${replay.nobody}`;
    return element("li", { "data-fact": name }, label, whose, " ", symbol, symbol ? " " : null, element("b", {}, ...coloured(text)));
  });
  return element("ul", { class: "facts", "aria-label": "Facts" }, items);
}

function decision(replay, frame) {
  const { entry, before } = frame;
  const news = [before?.says ?? "", ...entry.events.map((event) => event.says)].filter(Boolean);
  const parts = [element("p", { class: "news" }, ...news.slice(-4).map((said) => element("span", {}, ...coloured(said))))];
  if (frame.isEnd) {
    parts.push(element("p", { class: "end" }, ...coloured(replay.result.says)));
  } else {
    parts.push(element("p", { class: "choice" }, element("b", {}, ...coloured(entry.says)), ` ${howChosen(entry)}`));
    if (entry.fault) parts.push(element("p", { class: "fault", tabindex: "0" }, `Fault: ${entry.fault.kind}. ${entry.fault.sentence}`));
    if (entry.note) parts.push(element("p", { class: "note", tabindex: "0" }, "Note: ", entry.note));
    if (entry.weighed?.mark) parts.push(element("p", { class: "worth" }, sign(entry), " ", ...coloured(markSentence(replay, entry))));
    parts.push(legalActions(replay, entry));
  }
  return element("div", { class: "decision", role: "region", "aria-label": "Decision" }, parts);
}

/** Returns the legal actions; of a weighed decision, each with its expected rank. */
function legalActions(replay, { action: taken, legal, weighed }) {
  const ranks = new Map(weighed?.actions.map(({ action, rank }) => [action, estimate(rank)]));
  const better = betterAction({ weighed });
  const kind = (action) => (action === taken ? "taken" : action === better ? "better" : null);
  const label = weighed ? "Legal actions, with the expected rank and its standard error" : "Legal actions";
  return element("ul", { class: "legal", tabindex: "0", "aria-label": label, title: weighed ? label : null },
    legal.map((action) => element("li", { class: kind(action), "aria-current": action === taken ? "true" : null },
      ...coloured(replay.choices[action]), ranks.has(action) ? element("small", {}, ` ${ranks.get(action)}`) : null)));
}

/** Returns the sign of a decision's mark, as in books on chess. */
export function sign({ weighed }) {
  return element("b", { class: `sign ${weighed.mark}`, "aria-hidden": "true" }, MARKS[weighed.mark]);
}

function howChosen(entry) {
  if (entry.chosen_by === "bot") return `in ${duration(entry.milliseconds)} of ${duration(entry.time_left_ms)}`;
  return entry.chosen_by === "forced" ? "the only choice" : "chosen by the arena";
}

/** Returns the cards that lay elsewhere before, folded away. */
function records(replay, frame) {
  const past = [...frame.zones].filter(([place, { cards }]) =>
    cards.length && ["record", "stock"].includes(replay.zones[place].kind));
  if (!past.length) return null;
  return element("details", { class: "records" },
    element("summary", {}, "Past and coming cards"),
    element("ul", {}, past.map(([place]) => element("li", {}, ...coloured(zoneSentence(replay, frame, place))))));
}

/** Returns the table in words, for readers who do not see it. */
function sentences(replay, frame) {
  const zones = [...frame.zones.keys()]
    .filter((place) => !["record", "stock"].includes(replay.zones[place].kind) || frame.zones.get(place).hidden)
    .map((place) => zoneSentence(replay, frame, place));
  const facts = frame.said.filter(({ place }) => place !== "table")
    .map((fact) => element("li", { "data-said": fact.name }, `${fact.label}: ${factText(fact, replay)}`));
  return element("ul", { class: "unseen", "aria-label": "The table in sentences" },
    zones.map((text) => element("li", {}, text)), facts);
}

/** Returns a fact of seats or teams in one sentence. */
function factText({ place, value }, replay) {
  const name = place === "team" ? teamText : seatText;
  return value.map((text, i) => (text === null ? null : `${name(i, replay)} ${text}`.trim())).filter(Boolean).join(", ");
}
