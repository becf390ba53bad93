/** Repeatable randomness, which JavaScript does not provide. */

import { createHash } from "node:crypto";

const WORDS = 2 ** 32;

/**
 * The generator xoshiro128**, with the first 16 bytes of a SHA-256 as its state. It is good enough
 * to play cards, but not to keep secrets.
 */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 1;

  /** Begins the sequence for these bytes followed by the number as 4 bytes, big-endian. */
  seed(bytes: Uint8Array, number: number): void {
    const suffix = Buffer.alloc(4);
    suffix.writeUInt32BE(number);
    const digest = createHash("sha256").update(bytes).update(suffix).digest();
    this.a = digest.readInt32BE(0);
    this.b = digest.readInt32BE(4);
    this.c = digest.readInt32BE(8);
    this.d = digest.readInt32BE(12);
  }

  /** Returns a number from 0 up to, but not including, 1. */
  random(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** Returns an integer from 0 up to, but not including, `below`. */
  integer(below: number): number {
    if (!Number.isInteger(below) || below < 1 || below > WORDS) {
      throw new RangeError(`integer() expects an integer from 1 to 2^32, not ${below}`);
    }
    // Words beyond the last whole multiple of `below` would make small results more likely.
    const fair = WORDS - (WORDS % below);
    let word: number;
    do {
      word = this.word();
    } while (word >= fair);
    return word % below;
  }

  /** Returns one of the items, all equally likely. */
  choice<T>(items: readonly T[]): T {
    if (items.length === 0) {
      throw new RangeError("choice() expects a list that is not empty");
    }
    return items[this.integer(items.length)] as T;
  }

  /** Returns the items in random order, all orders equally likely. */
  shuffled<T>(items: Iterable<T>): T[] {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const other = this.integer(last + 1);
      [order[last], order[other]] = [order[other] as T, order[last] as T];
    }
    return order;
  }

  private word(): number {
    const word = Math.imul(rotated(Math.imul(this.b, 5), 7), 9) >>> 0;
    const shifted = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= shifted;
    this.d = rotated(this.d, 11);
    return word;
  }
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
