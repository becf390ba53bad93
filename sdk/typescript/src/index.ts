/** The TypeScript SDK for bots of a Sevens Arena. Its README explains how to write a bot. */

export { Bot, type BotClass, type Choice } from "./bot.js";
export type {
  Decision,
  Event,
  FactValue,
  Observation,
  Zone,
} from "./decision.js";
export type { Clock, Fault, Match, MatchEnd } from "./match.js";
export { Random } from "./random.js";
export { type RunOptions, run } from "./run.js";
export { VERSION } from "./session.js";
