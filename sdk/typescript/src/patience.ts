/** How a bot goes on when a stream breaks: it tries again, ever more slowly, for some time. */

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3000;
// A stream that held so long was a good one, and the count of the time begins anew.
const GOOD_STREAM_MS = 5000;

/** The arena cannot be reached any more; the message says since when and why. */
export class Unreachable extends Error {}

export class Patience {
  private readonly limit: number;
  private brokenAt: number | undefined;
  private pause = FIRST_PAUSE_MS;

  constructor(
    private readonly address: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    // A socket on this machine that does not answer is soon known to be gone for good.
    this.limit = address.startsWith("unix:") ? 2000 : 30_000;
  }

  /** Returns the milliseconds to wait before the next attempt; Unreachable when it is enough. */
  after(welcomedAt: number | undefined, reason: string): number {
    const now = this.now();
    const held = welcomedAt !== undefined && now - welcomedAt > GOOD_STREAM_MS;
    if (held || this.brokenAt === undefined) {
      this.brokenAt = now;
      this.pause = FIRST_PAUSE_MS;
    }
    const pause = this.pause * (0.7 + 0.3 * Math.random());
    if (now + pause > this.brokenAt + this.limit) {
      throw new Unreachable(
        `The arena at ${this.address} has been out of reach for` +
          ` ${seconds(now - this.brokenAt)} (limit: ${seconds(this.limit)}): ${reason}.`,
      );
    }
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE_MS);
    return pause;
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
