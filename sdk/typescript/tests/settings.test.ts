/** The settings that a bot reads from its environment. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { settingsFrom, WrongSettings } from "../src/settings.js";

const ENVIRONMENT = { ARENA_ADDRESS: "unix:/run/arena.sock", ARENA_TOKEN: "secret" };

function wrong(environment: Record<string, string>, sentence: RegExp): void {
  assert.throws(
    () => settingsFrom({ ...ENVIRONMENT, ...environment }, 1),
    (error) => error instanceof WrongSettings && sentence.test(error.message),
  );
}

test("settings come from the environment", () => {
  const { address, token, matchesAtOnce } = settingsFrom(ENVIRONMENT, 2);
  assert.deepEqual([address, token, matchesAtOnce], ["unix:/run/arena.sock", "secret", 2]);
  const many = settingsFrom({ ...ENVIRONMENT, ARENA_MATCHES_AT_ONCE: "64" }, 2);
  assert.equal(many.matchesAtOnce, 64);
});

test("a wrong number of matches is explained", () => {
  for (const number of ["0", "-1", "many", "²", "1.5"]) {
    wrong({ ARENA_MATCHES_AT_ONCE: number }, /has to be 1 or more, not '.+'\.$/);
  }
});

test("without an address or a token the bot says how to try it", () => {
  for (const missing of ["ARENA_ADDRESS", "ARENA_TOKEN"]) {
    const sentence = new RegExp(
      `arena play xeri \\. builtin:random\n\\(Not set in the environment: ${missing}\\.\\)$`,
    );
    wrong({ [missing]: "" }, sentence);
  }
});

test("TLS is on or off, never by accident", () => {
  const secure = (tls: string) => {
    const { credentials } = settingsFrom({ ...ENVIRONMENT, ARENA_TLS: tls }, 1);
    return credentials._isSecure();
  };
  assert.deepEqual([secure(""), secure("0"), secure("1")], [false, false, true]);
  wrong({ ARENA_TLS: "true" }, /has to be 1 \(with TLS\) or 0 \(without\), not 'true'/);
  wrong({ ARENA_TLS: "1", ARENA_TLS_CA: "/no/such.pem" }, /ARENA_TLS_CA cannot be used: .*ENOENT/);
});
