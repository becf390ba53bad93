/** Runs a bot in the process started by an arena or by the bot's author. */

import type { BotClass } from "./bot.js";
import { play } from "./connection.js";
import { Leaving } from "./leaving.js";
import { Unreachable } from "./patience.js";
import { Refused, Session } from "./session.js";
import { settingsFrom, WrongSettings } from "./settings.js";
import { BotFailure } from "./thoughts.js";

const EXIT_GOODBYE = 0;
const EXIT_CRASH = 1;
const EXIT_USAGE = 2;
const EXIT_NO_ARENA = 3;

export interface RunOptions {
  /** The slugs of the games that the bot plays; every game if empty. */
  readonly games?: readonly string[];
  /**
   * The number of matches it takes at a time (default: 1); ARENA_MATCHES_AT_ONCE in the environment
   * takes precedence.
   */
  readonly matchesAtOnce?: number;
}

/**
 * Plays until the arena says goodbye, and ends the process. At the first Ctrl-C or SIGTERM the bot
 * asks for that, and plays its matches to their end; the second one ends the process at once.
 *
 * An error thrown by the bot's code ends it too, with the stack trace on stderr.
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
  const leaving = new Leaving(session);
  leaving.listen();
  await play(session, settings.address, settings.credentials, leaving);
}

/** Prints the reason why the bot has stopped, and returns the exit code for it. */
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
