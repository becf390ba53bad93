/** What a bot author writes: a class with one method. */

import type { Decision } from "./decision.js";
import type { Match, MatchEnd } from "./match.js";
import type { Random } from "./random.js";

/** A legal action's text or its index. */
export type Choice = string | number;

/**
 * Plays one match at one seat: every match gets an object of its own.
 *
 * Each method may return a promise instead; then the decisions of several matches are thought about
 * concurrently.
 */
export abstract class Bot {
  /** There from `onStart` on, but not yet in the constructor. */
  match!: Match;
  /** There like `match`; seeded anew before each decision, with the seat's seed and its number. */
  random!: Random;

  /** Returns one of `decision.legal`, or its index. */
  abstract choose(decision: Decision): Choice | Promise<Choice>;

  /** The match is about to begin: its clock does not run before this is done. */
  onStart(): void | Promise<void> {}

  /** The match is over. */
  onEnd(_end: MatchEnd): void | Promise<void> {}
}

export type BotClass = new () => Bot;
