/**
 * The origin of the cards: the commitment, the seeds, and the stream of each deal. By
 * docs/deals.md and docs/records.md.
 *
 * Requests are functions of a place in a stream, so that a search can try one and go back.
 */

import { joined, uint32, utf8 } from "./bytes.js";
import { sha256 } from "./sha256.js";

const WORDS_BELOW = 2 ** 32;
const WORDS_A_BLOCK = 8;

/** Returns what the seats are sent before they accept. */
export function commitmentOf(secret) {
  return sha256(secret);
}

/** Returns the seed of the deals. `nonces`: bytes by entrant, at most 32 each. */
export function dealSeed(secret, nonces) {
  const shares = nonces.flatMap((nonce) => [Uint8Array.of(nonce.length), nonce]);
  return sha256(joined(secret, ...shares));
}

/** Returns a seat's own random seed. `root`: the secret, or the seed text in UTF-8. */
export function seatSeed(root, matchNumber, seat) {
  return sha256(joined(root, utf8("seat"), uint32(matchNumber), uint32(seat)));
}

/** The stream of one deal. `seed`: bytes. `deal`: its number, from 1. */
export class Stream {
  #prefix;
  #words = [];

  constructor(seed, deal) {
    this.#prefix = joined(seed, uint32(deal));
  }

  /** Returns a word of the stream. `place`: from 0. */
  word(place) {
    while (this.#words.length <= place) this.#drawBlock();
    return this.#words[place];
  }

  /** Returns the answer to `pick(n)` at a place, and the place after it. `n`: from 1 to 2**32. */
  pick(n, place) {
    const limit = WORDS_BELOW - (WORDS_BELOW % n);
    let after = place;
    while (this.word(after) >= limit) after++;
    return { answer: this.word(after) % n, after: after + 1 };
  }

  /** Returns the answer to `shuffle(cards)` at a place, and the place after it. */
  shuffle(cards, place) {
    const answer = [...cards];
    let after = place;
    for (let last = answer.length - 1; last > 0; last--) {
      const picked = this.pick(last + 1, after);
      [answer[last], answer[picked.answer]] = [answer[picked.answer], answer[last]];
      after = picked.after;
    }
    return { answer, after };
  }

  #drawBlock() {
    const number = joined(uint32(0), uint32(this.#words.length / WORDS_A_BLOCK));
    const block = new DataView(sha256(joined(this.#prefix, number)).buffer);
    for (let i = 0; i < WORDS_A_BLOCK; i++) this.#words.push(block.getUint32(4 * i));
  }
}
