/** The time for which a bot tries to reach its arena. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Patience, Unreachable } from "../src/patience.js";

test("patience ends unless a stream held", () => {
  let now = 1_000_000;
  const patience = new Patience("arena.example:7777", () => now);
  const pauses: number[] = [];
  assert.throws(
    () => {
      for (;;) {
        const pause = patience.after(undefined, "it is down");
        pauses.push(pause);
        now += pause;
      }
    },
    (error) =>
      error instanceof Unreachable &&
      /reach for \d\d s \(limit: 30 s\): it is down\.$/.test(error.message),
  );
  const waited = pauses.reduce((total, pause) => total + pause, 0);
  assert.ok(waited > 27_000 && waited <= 30_000);
  assert.ok((pauses[0] ?? 0) >= 70 && (pauses[0] ?? 0) <= 100);
  assert.ok((pauses.at(-1) ?? 0) >= 2100 && (pauses.at(-1) ?? 0) <= 3000);
  now += 3000; // now every random pause is too long
  // A stream that breaks at once is no success; one that lasts for some time is.
  assert.throws(() => patience.after(now - 100, "it breaks"), Unreachable);
  assert.ok(patience.after(now - 6000, "it broke") <= 100);
});

test("a socket on this machine is given up sooner", () => {
  let now = 0;
  const patience = new Patience("unix:/run/arena.sock", () => now);
  patience.after(undefined, "it is down");
  now += 2000;
  assert.throws(() => patience.after(undefined, "it is down"), /for 2 s \(limit: 2 s\)/);
});
