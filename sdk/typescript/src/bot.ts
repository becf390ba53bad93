/** The base class of bots. An author writes a class with one method. */

import type { Decision } from "./decision.js";
import type { Match, MatchEnd } from "./match.js";
import type { Random } from "./random.js";

/** A legal action's text or its index. */
export type Choice = string | number;

/**
 * Plays one match at one seat. Every match gets its own object.
 *
 * Any method may return a promise instead; then the bot thinks about several matches concurrently.
 */
export abstract class Bot {
  /** Set before `onStart` is called, but not yet in the constructor. */
  match!: Match;
  /** Set like `match`. Reseeded before each decision, with the seat's seed and its number. */
  random!: Random;

  /** Returns one of `decision.legal`, or its index. */
  abstract choose(decision: Decision): Choice | Promise<Choice>;

  /** Called before the match begins. Its clock does not run until this is done. */
  onStart(): void | Promise<void> {}

  /** Called when the match is over. */
  onEnd(_end: MatchEnd): void | Promise<void> {}
}

export type BotClass = new () => Bot;
