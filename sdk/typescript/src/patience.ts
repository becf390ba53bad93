/**
 * The backoff after a stream breaks: the bot tries again, ever more slowly. An arena that is not on
 * this machine may be away for minutes, and is never given up.
 */

const FIRST_PAUSE_MS = 100;
// At first, when a match may be waiting for the bot, and after QUICK_FOR_MS.
const LONGEST_PAUSE_MS = 3000;
const QUICK_FOR_MS = 30_000;
const LONGEST_LATER_MS = 30_000;
// After a stream that held this long, the time is counted from zero again.
const GOOD_STREAM_MS = 5000;

/** The arena can no longer be reached; the message says since when and why. */
export class Unreachable extends Error {}

export class Patience {
  private readonly limit: number;
  private brokenAt: number | undefined;
  private pause = FIRST_PAUSE_MS;

  constructor(
    private readonly address: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    // If a socket on this machine does not answer, its arena has almost certainly ended.
    this.limit = address.startsWith("unix:") ? 2000 : Number.POSITIVE_INFINITY;
  }

  /** Returns the milliseconds to wait before the next attempt. Throws Unreachable to give up. */
  after(welcomedAt: number | undefined, reason: string): number {
    const now = this.now();
    const held = welcomedAt !== undefined && now - welcomedAt > GOOD_STREAM_MS;
    if (held || this.brokenAt === undefined) {
      this.brokenAt = now;
      this.pause = FIRST_PAUSE_MS;
      if (!this.address.startsWith("unix:")) {
        process.stderr.write(
          `The arena at ${this.address} cannot be reached (${reason}).` +
            " Trying until it answers.\n",
        );
      }
    }
    const pause = this.pause * (0.7 + 0.3 * Math.random());
    if (now + pause > this.brokenAt + this.limit) {
      throw new Unreachable(
        `The arena at ${this.address} has been out of reach for` +
          ` ${seconds(now - this.brokenAt)} (limit: ${seconds(this.limit)}): ${reason}.`,
      );
    }
    const quick = now - this.brokenAt < QUICK_FOR_MS;
    this.pause = Math.min(2 * this.pause, quick ? LONGEST_PAUSE_MS : LONGEST_LATER_MS);
    return pause;
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
