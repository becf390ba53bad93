/**
 * Finds which request of which deal each recorded shuffle and pick answers.
 *
 * A record lists the answers, but only the rules know where a deal begins, and whether a pick came
 * before a shuffle. So this searches: an answer is the next one of the current deal's stream, or,
 * for a shuffle of the whole deck, the first of the next deal's. A wrong card fits neither.
 */

import { Stream } from "./deals.js";

const MOST_STEPS = 50_000;

/**
 * Returns `{shuffles, picks, deals}`: how many of each the seed explains, in order; as many
 * shuffles as possible. The search ends after MOST_STEPS, many more than a match has answers.
 *
 * `seed`: bytes. `shuffles`: lists of cards. `picks`: integers that the stream answered.
 * `deck`: the cards of a deal in canonical order, in which every request lists its cards.
 * `pickedFrom`: the n of every pick; null if it can be any number up to that of the cards.
 * `picksMatter`: false to allow any answer to a pick.
 */
export function explained({ seed, shuffles, picks, deck, pickedFrom, picksMatter = true }) {
  const place = new Map(deck.map((card, index) => [card, index]));
  const requested = shuffles.map((cards) => [...cards].sort((a, b) => place.get(a) - place.get(b)));
  const streams = [];
  const tried = new Set();
  let best = { shuffles: 0, picks: 0, deals: 0 };
  const open = [{ shuffles: 0, picks: 0, deals: 0, at: 0 }];
  for (let steps = 0; open.length > 0 && steps < MOST_STEPS; steps++) {
    const state = open.pop();
    const key = Object.values(state).join(" ");
    if (tried.has(key)) continue;
    tried.add(key);
    if (isFurther(state, best)) best = state;
    if (state.shuffles === shuffles.length && state.picks === picks.length) break;
    open.push(...picksFrom(state), ...shufflesFrom(state)); // a shuffle, the better evidence, first
  }
  return best;

  function shufflesFrom(state) {
    const { shuffles: index, deals } = state;
    if (index === shuffles.length) return [];
    const after = [];
    if (isWhole(requested[index], deck)) {
      const end = endOfShuffle(index, deals + 1, 0);
      if (end !== null) after.push({ ...state, shuffles: index + 1, deals: deals + 1, at: end });
    }
    if (deals > 0 && requested[index].every((card) => place.has(card))) {
      const end = endOfShuffle(index, deals, state.at);
      if (end !== null) after.push({ ...state, shuffles: index + 1, at: end });
    }
    return after;
  }

  function endOfShuffle(index, deal, at) {
    const { answer, after } = streamOf(deal).shuffle(requested[index], at);
    return answer.every((card, i) => card === shuffles[index][i]) ? after : null;
  }

  function picksFrom(state) {
    if (state.deals === 0 || state.picks === picks.length) return [];
    const ends = endsOfPick(picks[state.picks], state.deals, state.at);
    return ends.map((at) => ({ ...state, picks: state.picks + 1, at }));
  }

  /** Returns the places that can follow the pick, several if its word may have been rejected. */
  function endsOfPick(recorded, deal, at) {
    if (!picksMatter) return [at + 1];
    const ends = new Set();
    for (let n = pickedFrom ?? recorded + 1; n <= (pickedFrom ?? deck.length); n++) {
      const { answer, after } = streamOf(deal).pick(n, at);
      if (answer === recorded) ends.add(after);
    }
    return [...ends];
  }

  function streamOf(deal) {
    return (streams[deal] ??= new Stream(seed, deal));
  }
}

/** Returns what the seed gives for a shuffle of the whole deck as the first of a deal. */
export function firstShuffle(seed, deal, deck) {
  return new Stream(seed, deal).shuffle(deck, 0).answer;
}

function isFurther(state, best) {
  if (state.shuffles !== best.shuffles) return state.shuffles > best.shuffles;
  return state.picks > best.picks;
}

function isWhole(cards, deck) {
  return cards.length === deck.length && cards.every((card, i) => card === deck[i]);
}
