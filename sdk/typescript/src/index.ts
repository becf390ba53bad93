/** Write a bot for a Sevens Arena. The README of the SDK tells how. */

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
