/**
 * Xeri: captures whatever is worth it, and otherwise lays the card that is safest to leave.
 *
 * The idea: a card on top of the pile is safe if few cards of its rank are unseen, as only those
 * (and jacks) can capture it. On an empty pile that matters most: the opponent's capture would be a
 * xeri.
 */

import { Bot, type Decision, run } from "sevens-sdk";

// In tenths of a point, so that sums are exact and ties are ties.
const XERI = 100;
const JACK_KEPT_FOR = 30; // a jack is worth keeping for a pile that is worth more than this

type Cards = readonly string[];

class XeriFisher extends Bot {
  override choose(decision: Decision): number {
    const unseen = unseenRanks(decision);
    const pile = decision.observation.cards("pile");
    const values = decision.legal.map((action) => value(cardOf(action), pile, unseen));
    return values.indexOf(Math.max(...values));
  }
}

/** Returns the gain of playing the card now, less its expected cost. */
function value(card: string, pile: Cards, unseen: ReadonlyMap<string, number>): number {
  const worth = sum(pile.map(cardWorth)) + cardWorth(card);
  const isJack = rank(card) === "J";
  const top = pile.at(-1);
  if (top !== undefined && (isJack || rank(card) === rank(top))) {
    const xeri = pile.length === 1 && rank(card) === rank(top) ? XERI : 0;
    return worth + xeri - (isJack ? JACK_KEPT_FOR : 0);
  }
  const lost = worth + (top === undefined ? XERI : 0);
  const kept = isJack ? JACK_KEPT_FOR : 0;
  return (-(unseen.get(rank(card)) ?? 0) * lost) / 4 - kept;
}

/** Returns the tenths of a point for a won card; 3 points for most cards add about one to each. */
function cardWorth(card: string): number {
  return ("AKQJT".includes(rank(card)) ? 10 : 0) + (["TD", "2C"].includes(card) ? 10 : 0) + 1;
}

/** Returns the number of cards of each rank that the bot has not seen in this deal. */
function unseenRanks(decision: Decision): Map<string, number> {
  const unseen = new Map([..."A23456789TJQK"].map((each) => [each, 4]));
  const onTable = decision.observation.zones.filter(
    ({ name }) => name === "pile" || name === "won",
  );
  for (const card of [...onTable.flatMap(({ cards }) => cards), ...decision.hand]) {
    unseen.set(rank(card), (unseen.get(rank(card)) ?? 0) - 1);
  }
  return unseen;
}

/** Returns the card that an action plays: "7S" for "play 7S". */
function cardOf(action: string): string {
  return action.slice(action.indexOf(" ") + 1);
}

function rank(card: string): string {
  return card.charAt(0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

run(XeriFisher);
