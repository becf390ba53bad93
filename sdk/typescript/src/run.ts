/** Runs a bot in the process that an arena, or its author, has started. */

import type { BotClass } from "./bot.js";
import { play } from "./connection.js";
import { Unreachable } from "./patience.js";
import { Refused, Session } from "./session.js";
import { settingsFrom, WrongSettings } from "./settings.js";
import { BotFailure } from "./thoughts.js";

const EXIT_GOODBYE = 0;
const EXIT_CRASH = 1;
const EXIT_USAGE = 2;
const EXIT_NO_ARENA = 3;

export interface RunOptions {
  /** The slugs of the games that the bot plays; empty: every game. */
  readonly games?: readonly string[];
  /**
   * How many matches it takes at a time (default: 1); ARENA_MATCHES_AT_ONCE in the environment goes
   * before it.
   */
  readonly matchesAtOnce?: number;
}

/**
 * Plays until the arena says goodbye, and ends the process.
 *
 * What the bot's code throws ends it too, with the stack trace on stderr.
 */
export function run(botClass: BotClass, options: RunOptions = {}): void {
  playAll(botClass, options).then(
    () => process.exit(EXIT_GOODBYE),
    (error: unknown) => process.exit(explained(error)),
  );
}

async function playAll(botClass: BotClass, options: RunOptions): Promise<void> {
  const { games = [], matchesAtOnce = 1 } = options;
  const settings = settingsFrom(process.env, matchesAtOnce);
  const session = new Session(botClass, {
    token: settings.token,
    games: [...games],
    matchesAtOnce: settings.matchesAtOnce,
  });
  await play(session, settings.address, settings.credentials);
}

/** Tells people why the bot has stopped, and returns the exit code that tells programs. */
function explained(error: unknown): number {
  if (error instanceof WrongSettings) {
    console.error(error.message);
    return EXIT_USAGE;
  }
  if (error instanceof Refused || error instanceof Unreachable) {
    console.error(error.message);
    return EXIT_NO_ARENA;
  }
  if (error instanceof BotFailure) {
    console.error(error.cause);
    console.error(error.message);
    return EXIT_CRASH;
  }
  console.error(error);
  return EXIT_CRASH;
}
