/** Ctrl-C and SIGTERM: at the first the bot asks to be let go, at the second the process ends. */

import type { Session } from "./session.js";

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;

/** Handles those signals that the program does not handle itself. */
export class Leaving {
  /** Called when the session has something to say. */
  onLeave: () => void = () => {};
  /** Resolves when the bot is to leave. */
  readonly asked: Promise<void>;
  private ask!: () => void;

  constructor(private readonly session: Session) {
    this.asked = new Promise((resolve) => {
      this.ask = resolve;
    });
  }

  listen(): void {
    for (const signal of Object.keys(EXIT_CODES) as Signal[]) {
      if (process.listenerCount(signal) === 0) {
        process.on(signal, () => this.handle(signal));
      }
    }
  }

  private handle(signal: Signal): void {
    if (this.session.leaving || this.session.goodbye) {
      process.exit(EXIT_CODES[signal]);
    }
    this.session.leaving = true;
    const count = this.session.matches;
    if (count > 0) {
      const matches = count === 1 ? "1 match" : `${count} matches`;
      console.error(`Leaving after ${matches}; press Ctrl-C again to stop at once.`);
    }
    this.ask();
    this.onLeave();
  }
}
