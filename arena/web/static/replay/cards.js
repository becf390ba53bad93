// Cards: large index, one large mark, no pictures. Readable when another card covers most of it.

import { drawn, element } from "./dom.js";
import { CROWNS, SHAPES } from "./shapes.js";
import { isCard, rankOf } from "./words.js";

const made = new WeakMap(); // by deck, cards already drawn, to be copied

/** Returns a face-up card. Pictures are hidden from screen readers, which have the sentences. */
export function face(card, deck) {
  if (!made.has(deck)) made.set(deck, new Map());
  const known = made.get(deck);
  if (!known.has(card)) known.set(card, isCard(card, deck) ? suited(card, deck) : plain(card));
  return known.get(card).cloneNode(true);
}

/** Returns the back of a card. */
export function back() {
  return picture({ class: "playing-card back" },
    drawn("rect", { class: "paper", x: 0.75, y: 0.75, width: 62.5, height: 90.5, rx: 6 }),
    drawn("rect", { class: "pattern", x: 5, y: 5, width: 54, height: 82, rx: 3.5 }),
    drawn("path", { class: "lattice", d: "M5 19 32 5 59 19M5 46 32 19 59 46M5 73 32 46 59 73M18 87 32 73 46 87M5 46 32 73 59 46M5 19 32 46 59 19" }));
}

/** Returns the outline of a place without a card. */
export function gap() {
  return picture({ class: "playing-card gap" },
    drawn("rect", { x: 1.5, y: 1.5, width: 61, height: 89, rx: 6 }));
}

/** Returns a suit's mark by itself. */
export function mark(suit) {
  return drawn("svg", { class: `mark ink-${suit.colour} ${suit.shape}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    drawn("path", { class: "ink", d: SHAPES[suit.shape], "fill-rule": "evenodd" }));
}

function suited(card, deck) {
  const suit = deck.suits[card[1]];
  const colour = deck.colours[card] ?? suit.colour;
  const rank = rankOf(card);
  const kind = suit.symbol ? "french" : "banded";
  const crown = CROWNS[card[0]];
  const index = { class: "rank", x: 12.5, y: 21.5, "text-anchor": "middle" };
  if (rank.length > 1) Object.assign(index, { textLength: 20, lengthAdjust: "spacingAndGlyphs" });
  return picture({ class: `playing-card ${kind} ink-${colour} ${suit.shape}`, "data-card": card },
    drawn("rect", { class: "paper", x: 0.75, y: 0.75, width: 62.5, height: 90.5, rx: 6 }),
    kind === "banded" ? drawn("path", { class: "band", d: "M6.75 1.5H24V90.5H6.75A5.25 5.25 0 0 1 1.5 85.25V6.75A5.25 5.25 0 0 1 6.75 1.5z" }) : null,
    drawn("text", index, rank),
    pip(suit, 5, 27, 15),
    pip(suit, 44, 6, 14, "corner"),
    crown ? drawn("path", { class: "ink crown", d: CROWNS[card[0]], transform: "translate(28 27) scale(1.15)", "fill-rule": "evenodd" }) : null,
    crown ? pip(suit, 29, 57, 27) : pip(suit, 26, 44, 34),
    drawn("text", { class: "letter", x: 12.5, y: 85, "text-anchor": "middle" }, card[1]));
}

/** Returns a picture in an element of its own: browsers move those without drawing them again. */
function picture(attributes, ...parts) {
  return element("span", attributes, drawn("svg", { viewBox: "0 0 64 92", "aria-hidden": "true" }, ...parts));
}

function pip(suit, x, y, size, kind = "") {
  return drawn("path", {
    class: `ink ${kind}`.trim(),
    d: SHAPES[suit.shape],
    transform: `translate(${x} ${y}) scale(${(size / 24).toFixed(3)})`,
    "fill-rule": "evenodd",
  });
}

function plain(word) {
  return element("span", { class: "playing-card text" }, word);
}
