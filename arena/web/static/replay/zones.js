// Zones by their kinds, as elements.

import { back, face, gap } from "./cards.js";
import { element } from "./dom.js";
import { sideColour, sideOf } from "./sides.js";
import { seatText, shortName, worded } from "./words.js";

const MOST_BACKS = 8;
const AROUND = [2, 3, 4]; // seats, before whom the cards of a trick are laid

/** Returns a zone.
 *
 *  `chosen`: the class of each card that the action, or a better one, names; `touched`: that of the zone. */
export function zoneElement(replay, frame, place, chosen, touched) {
  const zone = replay.zones[place];
  const held = frame.zones.get(place);
  const cards = KINDS[zone.kind](replay, frame, zone, held, chosen);
  const count = held.cards.length + held.hidden;
  const counted = ["pile", "stock", "hand"].includes(zone.kind) && count > 0;
  return element("div", { class: `zone ${zone.kind}${touched}${count ? "" : " empty"}`, "data-zone": zone.name, "data-clicks": zone.clicks?.join("|") },
    cards,
    element("span", { class: "title" }, shortTitle(zone, held, frame, replay.deck), counted ? element("b", {}, ` (${count})`) : null));
}

/** Returns the title; of one of many columns only what tells it apart. */
function shortTitle({ kind, title }, held, frame, deck) {
  if (kind === "trick" && !held.cards.length && frame.entry.last_trick) return `last ${title}`;
  if (kind !== "column") return title;
  const last = title.split(" ").at(-1);
  return deck.suits[last]?.name ?? last;
}

/** Returns what a zone holds as a sentence; hidden cards are only counted. */
export function zoneSentence(replay, frame, place) {
  const zone = replay.zones[place];
  const { cards, hidden } = frame.zones.get(place);
  const owner = zone.owner === null ? "" : ` of ${seatText(zone.owner, replay)}`;
  const parts = [];
  if (cards.length) parts.push(worded(cards.join(" "), replay.deck));
  if (hidden) parts.push(`${hidden} face down`);
  return `${zone.title}${owner}: ${parts.join(", ") || "empty"}`;
}

const KINDS = {
  hand: (replay, frame, zone, held, chosen) => fan([
    ...Array.from({ length: Math.min(held.hidden, MOST_BACKS) }, back),
    ...held.cards.map((card) => marked(card, replay, chosen)),
  ]),
  row: (replay, frame, zone, held, chosen) => {
    const groups = groupsOf(frame, zone);
    if (groups) return grouped(groups, replay, chosen);
    return spread([
      ...held.cards.map((card) => marked(card, replay, chosen)),
      ...Array.from({ length: Math.min(held.hidden, MOST_BACKS) }, back),
    ]);
  },
  trick: (replay, frame, zone, held, chosen) => {
    const trick = trickOf(replay, frame, held);
    const sides = trick.seats.map((seat) => (seat === null ? null : sideOf(replay, seat)));
    const isAround = replay.order && AROUND.includes(replay.seats.length) && new Set(sides).size === trick.cards.length && !sides.includes(null);
    const around = isAround ? ` around-${replay.seats.length}` : "";
    if (!trick.cards.length) return element("div", { class: `played${around}` }, gap());
    return element("div", { class: `played${around}${trick.isOver ? " over" : ""}` }, trick.cards.map((card, i) =>
      playedCard(replay, marked(card, replay, chosen), trick.seats[i], sides[i], trick.isOver && trick.seats[i] === trick.taker)));
  },
  pile: (replay, frame, zone, held, chosen) =>
    stacked(held, held.cards.length ? marked(held.cards.at(-1), replay, chosen) : held.hidden ? back() : gap()),
  stock: (replay, frame, zone, held) =>
    stacked(held, held.cards.length + held.hidden ? back() : gap()),
  column: (replay, frame, zone, held, chosen) =>
    column(held.cards.map((card) => marked(card, replay, chosen))),
  aces: (replay, frame, zone, held, chosen) => spread(
    topsOf(held.cards).map((card) => marked(card, replay, chosen))),
};

/** Returns a card of a trick, with who played it. */
function playedCard(replay, card, seat, side, isWinner) {
  if (seat === undefined) return element("div", { class: "by" }, card);
  const number = seat ?? replay.seats.length;
  return element("div", { class: `by ${side ?? ""}${isWinner ? " winner" : ""}`, "data-seat": number }, card,
    element("span", { class: `who ${sideColour(replay, number)}`, title: seatText(number, replay) }, shortName(number, replay)));
}

function fan(cards) {
  const slots = cards.map((card) => element("span", { class: "slot" }, card));
  return element("div", { class: "fan" }, slots.length ? slots : element("span", { class: "slot" }, gap()));
}

function spread(cards) {
  return element("div", { class: "spread" }, cards.length ? cards : gap());
}

function column(cards) {
  const slots = cards.map((card) => element("span", { class: "slot" }, card));
  const size = cards.length > 13 ? " tight" : cards.length > 8 ? " close" : "";
  return element("div", { class: `stack-down${size}` }, slots.length ? slots : gap());
}

function stacked(held, top) {
  const depth = Math.min(3, Math.ceil((held.cards.length + held.hidden - 1) / 6));
  return element("div", { class: `stacked depth-${Math.max(0, depth)}` }, top);
}

function marked(card, replay, chosen) {
  const shown = face(card, replay.deck);
  if (chosen.has(card)) shown.classList.add(chosen.get(card));
  return shown;
}

/** Returns the trick in play, or the last one if none has begun. */
function trickOf(replay, frame, held) {
  const last = frame.entry.last_trick;
  if (!held.cards.length && last) {
    return { cards: last.cards.split(" "), seats: last.seats, taker: last.taker, isOver: true };
  }
  const order = frame.facts.get(replay.order);
  const count = replay.seats.length;
  const seats = Array.isArray(order)
    ? order
    : Number.isInteger(order) ? held.cards.map((_, i) => (order + i) % (frame.facts.get("places") ?? count)) : [];
  return { cards: held.cards, seats, isOver: false };
}

/** Returns the cards of a zone in the groups that a fact lists, or null if there is no such fact. */
function groupsOf(frame, zone) {
  const listed = zone.groups === null ? undefined : frame.facts.get(zone.groups);
  if (!Array.isArray(listed)) return null;
  const texts = zone.owner === null ? listed : [listed[zone.owner] ?? ""];
  return texts.map((text) => text.split(" ").filter(Boolean));
}

function grouped(groups, replay, chosen) {
  if (groups.length === 1 && groups[0].includes("?")) return spots(groups[0], replay, chosen);
  return element("div", { class: "groups" }, groups.map((cards, i) => numbered(i + 1,
    cards.length > 6 ? row(cards, replay, chosen) : fan(cards.map((card) => cardOrBack(card, replay, chosen))))));
}

/** Returns the places of a seat, which are numbered. */
function spots(cards, replay, chosen) {
  const shown = row(cards, replay, chosen);
  [...shown.children].forEach((card, i) => numbered(i + 1, card));
  return shown;
}

function row(cards, replay, chosen) {
  return element("div", { class: "spots" }, cards.map((card) => cardOrBack(card, replay, chosen)));
}

/** Marks a group or a place with its number, by which actions name it. */
function numbered(number, shown) {
  shown.dataset.part = number;
  return shown;
}

function cardOrBack(card, replay, chosen) {
  return card === "?" ? back() : marked(card, replay, chosen);
}

/** Returns the tops of piles that follow one another, each from its ace up. */
function topsOf(cards) {
  return cards.filter((card, i) => i + 1 === cards.length || cards[i + 1][0] === "A");
}
