/**
 * The facts of each game that the checks need, from its page: the deck in its canonical order,
 * whether the most or the fewest points win, and what a pick chooses from.
 *
 * `deck(seats)`: the cards that every deal shuffles first.
 * `version`: of the rules that this describes.
 * `pickedFrom(seats)`: the n of the game's `pick(n)`; 0 if it makes no picks, null if n varies.
 * `pickedByArrival(options)`: whether the host answers picks by the order of arrival. `options`: a
 *   Map of texts.
 */

const RANKS = "A23456789TJQK";

const standard = { deck: () => deckOf("CDHS", RANKS) };

const GAMES = {
  "california-speed": {
    ...standard,
    fewestWin: true,
    pickedFrom: (seats) => seats,
    pickedByArrival: (options) => options.get("contest") === "clock",
  },
  cash: { ...standard, fewestWin: true, pickedFrom: () => null }, // from how many, an option says
  crash: standard,
  dingo: { deck: () => deckOf("CDHS", RANKS).filter((card) => card === "AD" || card[1] !== "D") },
  envite: { deck: () => deckOf("CDHS", "A234567JQK") },
  "forty-thieves": { deck: () => copied(deckOf("CDHS", RANKS), 2) },
  "insidious-sevens": { deck: () => deckOf("RYGBP", "01234567") },
  "jack-change-it": standard,
  kontsina: standard,
  "mexican-sweat": standard,
  "oh-seven": { deck: (seats) => deckOf(seats < 4 ? "SHC" : "SHCD", "01234567") },
  "pitty-pat": standard,
  "russian-bank": standard,
  "seven-euchre": { deck: slidingDeck },
  "seven-rummy": standard,
  seven7s: { deck: () => deckOf("ACDVLSW", "1234567"), pickedFrom: () => null },
  trash: { deck: (seats) => copied(deckOf("CDHS", RANKS), Math.ceil(seats / 2)) },
  xeri: standard,
};

const DEFAULTS = {
  version: 1,
  fewestWin: false,
  pickedFrom: () => 0,
  pickedByArrival: () => false,
};

/** Returns the facts of a game, or null if this version of its rules is not described here. */
export function factsOf(slug, version) {
  if (!Object.hasOwn(GAMES, slug)) return null;
  const facts = { ...DEFAULTS, ...GAMES[slug] };
  return facts.version === version ? facts : null;
}

function deckOf(suits, ranks) {
  return [...suits].flatMap((suit) => [...ranks].map((rank) => rank + suit));
}

function copied(deck, times) {
  return deck.flatMap((card) => Array(times).fill(card));
}

/** Seven suits of seven ranks, each suit one rank lower than the one before. */
function slidingDeck() {
  return [..."FTSCBOH"].flatMap((suit, i) => deckOf(suit, RANKS.slice(6 - i, 13 - i)));
}
