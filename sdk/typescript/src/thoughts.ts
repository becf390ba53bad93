/** The running calls of the bot's code. They continue while a lost stream is replaced. */

import { setImmediate as turn } from "node:timers/promises";

import type { Call, Seat } from "./session.js";

// The longest time that an answer waits for the others of its frame.
const PROMPT_MS = 10;

/** The bot's code has failed: the cause is what it threw, and the message names the match. */
export class BotFailure extends Error {}

/**
 * Makes the calls of the bot's code, one after another. If a call returns a promise, only the next
 * call for the same seat waits for it.
 */
export class Thoughts {
  /** Called when there may be something to send. */
  onProgress: () => void = () => {};
  /** Rejects when the bot's code has failed. */
  readonly failure: Promise<never>;

  private due: Call[] = [];
  private working = false;
  private failed = false;
  private telling = false;
  private readonly busy = new Map<Seat, Promise<void>>();
  private readonly ending = new Set<Promise<void>>();
  private reject!: (failure: BotFailure) => void;

  constructor() {
    this.failure = new Promise((_, reject) => {
      this.reject = reject;
    });
    // A failure while nobody is waiting for one must not count as an unhandled rejection.
    this.failure.catch(() => {});
  }

  add(calls: readonly Call[]): void {
    this.due.push(...calls);
    if (!this.working) {
      void this.work();
    }
  }

  /** Waits until all `onEnd` calls are done, or the time is up. */
  async seeEndsThrough(limit: Promise<void>): Promise<void> {
    await Promise.race([Promise.all(this.ending), this.failure, limit]);
  }

  private async work(): Promise<void> {
    this.working = true;
    let saidAt = performance.now();
    for (let call = this.due.shift(); call && !this.failed; call = this.due.shift()) {
      this.think(call);
      if (performance.now() - saidAt > PROMPT_MS) {
        this.onProgress();
        // Without a turn of the event loop nothing would be sent or received.
        await turn();
        saidAt = performance.now();
      }
    }
    this.working = false;
    this.onProgress();
  }

  private think(call: Call): void {
    const before = this.busy.get(call.seat);
    const thought = before ? before.then(() => this.make(call)) : this.make(call);
    if (thought) {
      this.follow(call, thought);
    }
  }

  /** Makes a call. Returns a promise if the bot's code returned one. */
  private make(call: Call): Promise<void> | undefined {
    try {
      const result = call.begin();
      if (isPromise(result)) {
        return Promise.resolve(result)
          .then((value) => call.finish(value))
          .catch((error) => this.fail(call, error));
      }
      call.finish(result);
    } catch (error) {
      this.fail(call, error);
    }
    return undefined;
  }

  private follow(call: Call, thought: Promise<void>): void {
    const { task, seat } = call;
    const done = thought.then(() => {
      this.ending.delete(done);
      if (this.busy.get(seat) === done) {
        this.busy.delete(seat);
      }
      this.tellSoon();
    });
    this.busy.set(seat, done);
    if (task === "end") {
      this.ending.add(done);
    }
  }

  /** Lets the answers of other calls that are done by then go into the same frame. */
  private tellSoon(): void {
    if (!this.telling) {
      this.telling = true;
      setImmediate(() => {
        this.telling = false;
        this.onProgress();
      });
    }
  }

  private fail({ task, seat }: Call, cause: unknown): void {
    this.failed = true;
    this.reject(new BotFailure(`This was the bot's ${task} in ${seat}.`, { cause }));
  }
}

function isPromise(result: unknown): result is PromiseLike<unknown> {
  return typeof (result as PromiseLike<unknown> | undefined)?.then === "function";
}
