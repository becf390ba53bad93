/** A decision as a bot sees it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromBinary, toBinary } from "@bufbuild/protobuf";

import { Decision } from "../src/decision.js";
import { DecisionSchema } from "../src/gen/sevens/bot/v1/decision_pb.js";
import { Match } from "../src/match.js";
import { Random } from "../src/random.js";
import * as messages from "./messages.js";

function decisionOf(message = messages.decision("m1", 3)): Decision {
  // As it arrives over the wire, where absent is not the same as 0.
  const read = fromBinary(DecisionSchema, toBinary(DecisionSchema, message));
  return new Decision(read, new Match(messages.start("m1")), new Random(), performance.now());
}

test("zones are found by name and owner", () => {
  const { observation, hand } = decisionOf();
  assert.equal(observation.zones.length, 3);
  assert.deepEqual(hand, ["7S", "8S"]);
  assert.deepEqual(observation.cards("stock"), ["2C"]);
  assert.equal(observation.zone("stock").hidden, 40);
  assert.equal(observation.zone("hand", 0).hidden, 2);
  assert.equal(observation.zone("stock").owner, undefined);
  // A zone that does not exist now is empty.
  assert.deepEqual(observation.zone("pile", 2), { name: "pile", owner: 2, cards: [], hidden: 0 });
  assert.deepEqual(observation.cards("hand"), []);
});

test("facts are numbers, words, or lists of them", () => {
  const { observation } = decisionOf();
  assert.deepEqual(Object.fromEntries(observation.facts), {
    bids: [],
    round: 0,
    scores: [3, -4],
    suits: ["S", "H"],
    trump: "S",
  });
  assert.equal(observation.fact<number>("round") + 1, 1);
  assert.throws(() => observation.fact("stakes"), {
    message: "there is no fact 'stakes' here, only: bids, round, scores, suits, trump",
  });
});

test("events have their actors", () => {
  const events = [{ verb: "play", actor: 0, arguments: ["7S"] }, { verb: "shuffles" }];
  const asked = decisionOf(messages.decision("m1", 3, { events, eventsLeftOut: 5 }));
  assert.deepEqual(
    asked.events.map((event) => [event.verb, event.actor, event.arguments]),
    [
      ["play", 0, ["7S"]],
      ["shuffles", undefined, []],
    ],
  );
  assert.equal(asked.eventsLeftOut, 5);
});

test("the rest is plain", () => {
  const asked = decisionOf();
  assert.deepEqual(asked.legal, messages.LEGAL);
  assert.deepEqual([asked.number, asked.seat], [3, 1]);
  assert.ok(asked.timeLeft > 59 && asked.timeLeft <= 60.2);
  assert.equal(String(asked), "decision 3 of match m1 (xeri), seat 1");
});

test("an observation that comes in pieces is put together", () => {
  const pieces = [
    messages.decision("m1", 3, { observation: { zones: [{ name: "pile", cards: ["7S"] }] } }),
    messages.decision("m1", 3, { observation: { facts: [{ name: "round", numbers: [4] }] } }),
  ].map((piece) => toBinary(DecisionSchema, piece));
  const { observation } = fromBinary(DecisionSchema, Buffer.concat(pieces));
  assert.deepEqual([observation?.zones.length, observation?.facts.length], [1, 1]);
});
