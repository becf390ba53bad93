// Cards and numbers in words.

import { element } from "./dom.js";

const CARD = /^[0-9ATJQK][A-Z]$/;
const SYMBOLS = { "♠": "spade", "♥": "heart", "♦": "diamond", "♣": "club" };

/** Returns whether a word is the code of one of the deck's cards. */
export function isCard(word, deck) {
  return CARD.test(word) && word[1] in deck.suits;
}

/** Returns the rank as people write it. */
export function rankOf(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** Returns a card in words: 10♦; other words stay as they are. */
export function cardText(word, deck) {
  if (!isCard(word, deck)) return word;
  const suit = deck.suits[word[1]];
  return rankOf(word) + (suit.symbol || ` ${suit.name}`);
}

/** Returns a text whose words may be cards, in words. */
export function worded(text, deck) {
  const words = String(text).split(" ");
  const hasSymbols = Object.values(deck.suits).every((suit) => suit.symbol);
  return words.map((word, i) => {
    const comma = !hasSymbols && isCard(word, deck) && i + 1 < words.length && isCard(words[i + 1], deck);
    return cardText(word, deck) + (comma ? "," : "");
  }).join(" ");
}

/** Returns the nodes of a sentence, its suits coloured as on the cards. */
export function coloured(sentence) {
  return sentence.split(/((?:10|[0-9AJQK])[♠♥♦♣])/).map((part) => {
    const shape = SYMBOLS[part.at(-1)];
    return shape ? element("span", { class: `word ${shape}` }, part) : document.createTextNode(part);
  });
}

/** Returns a duration in the unit that suits it, on one line. */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${milliseconds}\u00a0ms`;
  if (milliseconds < 59950) return `${(milliseconds / 1000).toFixed(1)}\u00a0s`;
  return `${Math.floor(milliseconds / 60000)}\u00a0min\u00a0${Math.floor(milliseconds / 1000) % 60}\u00a0s`;
}

/** Returns the name of a seat, or of who sits beyond the seats. */
export function seatText(seat, replay) {
  return replay.seats[seat]?.name ?? replay.nobody;
}

const SHORT = 8; // letters, as many as have room below a card
const KEPT = 2;

/** Returns a name for little room: without the letters that others begin with too. */
export function shortName(seat, replay) {
  const [name, ...others] = [seatText(seat, replay), ...replay.seats.filter((_, i) => i !== seat).map((other) => other.name)]
    .map((full) => full.replace(/ \(seat (\d+)\)$/, " $1"));
  if (name.length <= SHORT) return name;
  const shared = Math.max(...others.map((other) => commonStart(name, other)));
  const differs = Math.min(shared, name.length - SHORT + KEPT);
  return differs > KEPT + 1 ? `${name.slice(0, KEPT)}…${name.slice(differs)}` : name;
}

function commonStart(one, other) {
  const end = [...one].findIndex((letter, i) => letter !== other[i]);
  return end < 0 ? one.length : end;
}

/** Returns the names of a team's members. */
export function teamText(team, replay) {
  return list(replay.seats.filter((seat) => seat.team === team).map((seat) => seat.name));
}

/** Returns words as a list: Ann, Bob and Cid. */
export function list(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

/** Returns a rank as an ordinal number. */
export function ordinal(rank) {
  return `${rank}${{ 1: "st", 2: "nd", 3: "rd" }[rank > 20 ? rank % 10 : rank] ?? "th"}`;
}

/** Returns a number with its noun, which is given for one and for many: "point|points". */
export function counted(number, noun) {
  const [one, many] = noun.split("|");
  return `${number} ${Math.abs(number) === 1 ? one : many}`;
}
