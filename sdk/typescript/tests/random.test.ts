/** Randomness that is the same on every machine and in every future version. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Random } from "../src/random.js";

function seeded(number: number): Random {
  const random = new Random();
  random.seed(
    Uint8Array.from({ length: 32 }, (_, place) => place),
    number,
  );
  return random;
}

test("a seed leads to the words that it always led to", () => {
  // Computed by another implementation of xoshiro128**.
  const words = [3956595872, 3437908715, 2699506691, 4129955277];
  const random = seeded(7);
  assert.deepEqual(
    words.map(() => random.integer(2 ** 32)),
    words,
  );
  assert.equal(seeded(7).random(), 0.9212167695198245);
  assert.notEqual(seeded(8).random(), seeded(7).random());
});

test("integers and choices are in their range, and about as likely as each other", () => {
  const random = seeded(1);
  const counts = [0, 0, 0];
  for (let draw = 0; draw < 3000; draw++) {
    const drawn = random.choice([0, 1, 2]);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
    const number = random.random();
    assert.ok(number >= 0 && number < 1);
  }
  assert.ok(Math.min(...counts) > 900, String(counts));
});

test("a shuffle keeps all items, and leaves the list alone", () => {
  const items = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const before = [...items];
  const shuffled = seeded(1).shuffled(items);
  assert.deepEqual(items, before);
  assert.notDeepEqual(shuffled, before);
  assert.deepEqual(shuffled.sort(), before);
});

test("what cannot be drawn is explained", () => {
  assert.throws(() => seeded(1).choice([]), /expects a list that is not empty/);
  assert.throws(() => seeded(1).integer(0), /from 1 to 2\^32, not 0/);
});
