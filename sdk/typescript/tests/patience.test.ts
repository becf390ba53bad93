/** The time for which a bot tries to reach its arena. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Patience } from "../src/patience.js";

test("a distant arena is tried ever more slowly, and never given up", () => {
  const began = 1_000_000;
  let now = began;
  const patience = new Patience("arena.example:7777", () => now);
  const pauses: number[] = [];
  while (now < began + 600_000) {
    const pause = patience.after(undefined, "it is down");
    assert.ok(now - began >= 30_000 || pause <= 3000);
    pauses.push(pause);
    now += pause;
  }
  assert.ok((pauses[0] ?? 0) >= 70 && (pauses[0] ?? 0) <= 100);
  assert.ok((pauses.at(-1) ?? 0) >= 21_000 && (pauses.at(-1) ?? 0) <= 30_000);
  // A stream that breaks at once is no success; one that lasts for some time is.
  assert.ok(patience.after(now - 100, "it breaks") > 20_000);
  assert.ok(patience.after(now - 6000, "it broke") <= 100);
});

test("a socket on this machine is given up sooner", () => {
  let now = 0;
  const patience = new Patience("unix:/run/arena.sock", () => now);
  patience.after(undefined, "it is down");
  now += 2000;
  assert.throws(() => patience.after(undefined, "it is down"), /for 2 s \(limit: 2 s\)/);
});
