// Cards that move from where they were drawn to where they are drawn now. The drawing is finished before
// anything moves: it depends on nothing that happens here.

const TAKES_MS = 300;
const NEAR = 2; // pixels that are no move

let moving = [];

// A card comes from a place of the layout before.
addEventListener("resize", () => moving.forEach((animation) => animation.finish()));

/** Returns where the cards of a drawing are, and where those come from that are face down. */
export function placesOf(drawing) {
  const cards = new Map();
  for (const card of cardsOf(drawing)) {
    const { card: code } = card.dataset;
    cards.set(code, [...cards.get(code) ?? [], boxOf(card)]);
  }
  const hands = new Map();
  for (const slot of drawing.querySelectorAll(".seat .zone.hand .slot:has(.back)")) hands.set(seatOf(slot), boxOf(slot.firstChild));
  return {
    cards,
    hands,
    stock: boxOf(drawing.querySelector(".zone.stock .playing-card")),
    acting: seatOf(drawing.querySelector(".seat.acting")),
  };
}

/** Moves the cards of a drawing from where they were; returns the animations, which may be finished
 *  at any time.
 *
 *  `turns`: the cards that move one after another, `apart` milliseconds between them. */
export function move(before, drawing, turns = [], apart = 0) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return [];
  const zoom = drawing.querySelector(".felt").currentCSSZoom ?? 1;
  const moved = moves(before, drawing);
  const order = turns.filter((code) => moved.some(({ card }) => card.dataset.card === code));
  moving = moved.map(({ card, from, to, isHidden }) => {
    const turn = order.indexOf(card.dataset.card) + 1;
    card.classList.add("moving");
    const start = `translate(${(from.left - to.left) / zoom}px, ${(from.top - to.top) / zoom}px) scale(${from.width / to.width})`;
    const animation = card.animate(
      [{ transform: start, opacity: isHidden ? 0 : 1 }, { opacity: 1, offset: 0.05 }, {}],
      { duration: TAKES_MS, delay: Math.max(0, turn - 1) * apart, easing: "ease-out", fill: "backwards" },
    );
    animation.onfinish = () => card.classList.remove("moving");
    return animation;
  });
  return moving;
}

/** Returns the cards that are not where they were. A card that there are several of has not moved if
 *  one of them was there. */
function moves(before, drawing) {
  const boxes = new Map([...cardsOf(drawing)].map((card) => [card, boxOf(card)]));
  const left = new Map([...before.cards].map(([code, places]) => [code, [...places]]));
  const there = [...boxes].filter(([card, to]) => {
    const places = left.get(card.dataset.card) ?? [];
    const same = places.findIndex((from) => Math.hypot(from.left - to.left, from.top - to.top) < NEAR);
    if (same >= 0) places.splice(same, 1);
    return same < 0;
  });
  return there.flatMap(([card, to]) => {
    const known = left.get(card.dataset.card)?.shift();
    const from = known ?? originOf(card, before);
    return from ? [{ card, from, to, isHidden: !known }] : [];
  });
}

/** Returns where a card was that was face down: in a hand, or in the stock. */
function originOf(card, { hands, stock, acting }) {
  const player = seatOf(card.closest(".by"));
  if (player !== null) return hands.get(player);
  return card.closest(".seat") ? stock : hands.get(acting) ?? stock;
}

function cardsOf(drawing) {
  return drawing.querySelectorAll(".playing-card[data-card]");
}

function seatOf(element) {
  return element?.closest("[data-seat]")?.dataset.seat ?? null;
}

function boxOf(element) {
  return element?.getBoundingClientRect() ?? null;
}
