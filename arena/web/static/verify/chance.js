/** Checks that the recorded shuffles and picks are those of the seed. */

import { explained, firstShuffle } from "./dealing.js";
import { seedOfDeals } from "./fairness.js";
import { BadRecord, NotChecked, shown } from "./findings.js";
import { factsOf } from "./games.js";

/** Checks every shuffle, card by card. */
export function checkShuffles(record) {
  const asked = askedOf(record);
  if (asked instanceof NotChecked) return asked;
  const total = record.shuffles.length;
  if (total === 0) throw new BadRecord("shuffles", "There are none, but every match is dealt.");
  const found = explainedShuffles(asked);
  if (found.shuffles < total) throw wrongShuffle(asked, found);
  return (
    `All ${counted(total, "shuffle")}, in ${counted(found.deals, "deal")}, ` +
    `follow card by card from ${originOf(record)}.`
  );
}

/** Checks every pick, as far as it is known from how many it was made. */
export function checkPicks(record) {
  const { game, rules_version: version, options, picks, seats } = record;
  if (picks.length === 0) return "The record lists no picks.";
  const asked = askedOf(record);
  if (asked instanceof NotChecked) return asked;
  if (asked.pickedFrom === 0) throw new BadRecord("picks[0]", "The game makes no picks.");
  const number = counted(picks.length, "pick");
  if (factsOf(game, version).pickedByArrival(options)) {
    checkRange(picks, seats.length);
    return new NotChecked(`${number} went by the order in which answers came, not by the seed.`);
  }
  if (explainedShuffles(asked).shuffles < record.shuffles.length) {
    return new NotChecked("As the shuffles are wrong, the places of the picks are not known.");
  }
  const found = explained(asked);
  if (found.shuffles < record.shuffles.length || found.picks < picks.length) {
    const index = Math.min(found.picks, picks.length - 1);
    const sentence = `${picks[index]} does not follow from ${originOf(record)}.`;
    throw new BadRecord(`picks[${index}]`, sentence);
  }
  if (asked.pickedFrom !== null) {
    return `${number} from 0 to ${asked.pickedFrom - 1} follow from ${originOf(record)}.`;
  }
  return (
    `${number} can be what ${originOf(record)} gave. From how many each was made, only the rules ` +
    "can say."
  );
}

/** Allows any answers to picks, so that a wrong pick is not taken for a wrong shuffle. */
function explainedShuffles(asked) {
  return explained({ ...asked, picksMatter: false });
}

/** Returns what to explain, for `explained`; or NotChecked. */
function askedOf(record) {
  const { game, rules_version: version, options, picks, seats } = record;
  const seed = seedOfDeals(record);
  if (seed === null) {
    return new NotChecked("The seed of the deals needs the secret, which is not revealed yet.");
  }
  const facts = factsOf(game, version);
  if (facts === null) {
    return new NotChecked(`This program does not know the deck of ${game} by rules ${version}.`);
  }
  return {
    seed,
    shuffles: record.shuffles.map(({ cards }) => cards),
    picks: facts.pickedByArrival(options) ? [] : picks,
    deck: facts.deck(seats.length),
    pickedFrom: facts.pickedFrom(seats.length),
  };
}

function checkRange(picks, n) {
  const wrong = picks.findIndex((pick) => pick >= n);
  if (wrong >= 0) throw new BadRecord(`picks[${wrong}]`, `Must be from 0 to ${n - 1}.`);
}

function wrongShuffle({ seed, shuffles, deck }, { shuffles: index, deals }) {
  const right = firstShuffle(seed, deals + 1, deck);
  const goesOn = deals > 0 ? `deal ${deals} does not go on with it, and ` : "";
  return new BadRecord(
    `shuffles[${index}].cards`,
    `By the seed of the deals, ${goesOn}deal ${deals + 1} does not begin with it` +
      `${difference(shuffles[index], right)}.`,
  );
}

/** Returns words about the first wrong card, if most of the cards are right. */
function difference(cards, right) {
  const wrong = right.flatMap((card, place) => (card === cards[place] ? [] : [place]));
  if (wrong.length === 0 || wrong.length > right.length / 2) return "";
  const [first] = wrong;
  return `: card ${first + 1} must be ${right[first]}, not ${shown(cards[first] ?? "none")}`;
}

function originOf({ deal_source: source }) {
  return source.seed_text ? "the seed text" : "the secret and the nonces";
}

function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
