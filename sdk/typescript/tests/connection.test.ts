/** The life of a connection: how it begins, breaks, is replaced and ends. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { decision, end, LEGAL, start } from "./messages.js";
import { Arena } from "./scripted_arena.js";

// Long enough for a busy machine, and short enough to report a failure soon.
const limits = { timeout: 20_000 };
const LEAVING = "Leaving after 1 match; press Ctrl-C again to stop at once.\n";

test("a bot introduces itself, plays, and leaves after a goodbye", limits, async (context) => {
  const arena = await Arena.open(context);
  const bot = arena.run("counting", { ARENA_MATCHES_AT_ONCE: "7" });
  const stream = await arena.stream();
  const { hello } = await stream.welcome();
  assert.equal(hello?.token, "secret");
  assert.equal(hello.matchesAtOnce, 7);
  await stream.start(["m1"]);
  const [answer] = await stream.ask(decision("m1"));
  assert.ok(LEGAL[Number(answer?.action.value)]);
  stream.say({ ends: [end("m1")] });
  await stream.goodbye();
  assert.deepEqual(await bot.end(), [0, ""]);
});

test("a goodbye lets the bot finish what it owes", limits, async (context) => {
  const arena = await Arena.open(context);
  const [bot, stream] = await arena.connect("counting");
  await stream.start(["slow"]);
  stream.say({ decisions: [decision("slow")], goodbye: {} });
  assert.equal((await stream.hear()).answers.length, 1);
  assert.equal(await stream.hearOrClose(), "closed");
  stream.end();
  assert.deepEqual(await bot.end(), [0, ""]);
});

test("a ping is answered while the bot thinks", limits, async (context) => {
  const arena = await Arena.open(context);
  const [, stream] = await arena.connect("counting");
  await stream.start(["slow"]);
  stream.say({ decisions: [decision("slow")], ping: { number: 17 } });
  assert.equal((await stream.hear()).pong?.number, 17);
  assert.equal((await stream.hear()).answers.length, 1);
});

test("an answer does not wait for a slow one of its frame", limits, async (context) => {
  const arena = await Arena.open(context);
  const [, stream] = await arena.connect("failing");
  await stream.start(["m1", "slow", "m3"]);
  const began = performance.now();
  stream.say({ decisions: [decision("slow"), decision("m1", 1), decision("m3", 1)] });
  assert.deepEqual(
    (await stream.hear()).answers.map(({ matchId }) => matchId),
    ["slow"],
  );
  const { answers } = await stream.hear();
  assert.deepEqual(
    answers.map(({ matchId }) => matchId),
    ["m1", "m3"],
  );
  assert.ok(performance.now() - began >= 500);
});

test("promises of several matches are waited for together", limits, async (context) => {
  const arena = await Arena.open(context);
  const [, stream] = await arena.connect("counting");
  await stream.start(["slow", "m2"]);
  const answers = await stream.ask(decision("slow"), decision("m2"));
  assert.deepEqual(
    answers.map(({ matchId }) => matchId),
    ["m2", "slow"],
  );
});

test("after a break the same answers are given again", limits, async (context) => {
  const arena = await Arena.open(context);
  const [bot, lost] = await arena.connect("counting");
  await lost.start(["m1", "slow", "m3"]);
  const [given] = await lost.ask(decision("m1", 4));
  lost.say({ decisions: [decision("slow", 6)] });
  lost.end(); // while the bot thinks

  const stream = await arena.stream();
  await stream.welcome();
  await stream.start(["m1", "slow"], true);
  const answers = await stream.ask(decision("m1", 4), decision("slow", 6));
  const [repeated, late] = answers.sort((one, other) => (one.matchId < other.matchId ? -1 : 1));
  assert.deepEqual(repeated, given);
  // The bot was asked once, and its object is still the same.
  assert.match(late?.note ?? "", /^1 false /);
  const [following] = await stream.ask(decision("m1", 5));
  assert.match(following?.note ?? "", /^2 false /);
  await stream.goodbye();
  assert.deepEqual(await bot.end(), [0, ""]);
});

test("a restarted arena is found again", limits, async (context) => {
  const arena = await Arena.open(context);
  const [bot, stream] = await arena.connect("counting");
  await stream.start(["m1"]);
  arena.close();
  await arena.open();
  const again = await arena.stream();
  await again.welcome();
  await again.start(["m1"], true);
  assert.equal((await again.ask(decision("m1"))).length, 1);
  await again.goodbye();
  assert.deepEqual(await bot.end(), [0, ""]);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`at a ${signal} a bot plays its match, and leaves`, limits, async (context) => {
    const arena = await Arena.open(context);
    const [bot, lost] = await arena.connect("counting");
    await lost.start(["m1"]);
    bot.kill(signal);
    assert.ok((await lost.hear()).leave);
    lost.end();
    const stream = await arena.stream();
    await stream.welcome();
    assert.ok((await stream.hear()).leave, "it says so again");
    await stream.start(["m1"], true);
    assert.equal((await stream.ask(decision("m1"))).length, 1);
    stream.say({ ends: [end("m1")] });
    await stream.goodbye();
    assert.deepEqual(await bot.end(), [0, LEAVING]);
  });

  test(`at a second ${signal} a bot ends at once`, limits, async (context) => {
    const arena = await Arena.open(context);
    const [bot, stream] = await arena.connect("counting");
    await stream.start(["slow"]);
    stream.say({ decisions: [decision("slow")] });
    bot.kill(signal);
    assert.ok((await stream.hear()).leave);
    bot.kill(signal);
    assert.deepEqual(await bot.end(), [signal === "SIGINT" ? 130 : 143, LEAVING]);
  });
}

test("a bot does not wait for an arena that does not know leave", limits, async (context) => {
  const arena = await Arena.open(context);
  const [bot, stream] = await arena.connect("counting");
  await stream.start(["m1"]);
  stream.say({ ends: [end("m1")] });
  stream.say({ ping: { number: 1 } });
  await stream.hear();
  const began = performance.now();
  bot.kill("SIGINT");
  assert.deepEqual(await bot.end(), [0, ""]);
  assert.ok(performance.now() - began > 4000);
});

test("a bot whose arena has ended gives up", limits, async (context) => {
  const arena = await Arena.open(context);
  const [bot] = await arena.connect("counting");
  arena.close();
  const [code, stderr] = await bot.end();
  assert.equal(code, 3);
  assert.match(
    stderr,
    /^The arena at unix:.* has been out of reach for [12] s \(limit: 2 s\): .*UNAVAILABLE\)\.\n$/,
  );
});

test("a refusal is printed and final", limits, async (context) => {
  const arena = await Arena.open(context);
  const bot = arena.run("counting");
  const stream = await arena.stream();
  await stream.hear();
  stream.say({ refusal: { sentence: "This token was revoked." } });
  stream.end();
  assert.deepEqual(await bot.end(), [3, "This token was revoked.\n"]);
});

test("a crash is reported with its place and spares other matches", limits, async (context) => {
  const arena = await Arena.open(context);
  const [bot, stream] = await arena.connect("failing");
  await stream.start(["m1", "m2"]);
  stream.say({ decisions: [decision("m1", 4), decision("m2", 17)] });
  const { answers } = await stream.hear();
  assert.deepEqual(
    answers.map(({ matchId, number }) => [matchId, number]),
    [["m1", 4]],
  );
  const [code, stderr] = await bot.end();
  assert.equal(code, 1);
  assert.match(stderr, /^RangeError: at 2 a\.m\.\n {4}at FailingBot\.choose \(.*failing\.js:/);
  assert.match(
    stderr,
    /\nThis was the bot's choice in match m2 \(xeri\), seat 1, decision 17\.\n$/,
  );
});

test("without an arena the bot says how to try it", limits, async (context) => {
  const arena = await Arena.open(context);
  const [code, stderr] = await arena.run("counting", { ARENA_TOKEN: "" }).end();
  assert.equal(code, 2);
  assert.match(stderr, /to try it.*\n\(Not set in the environment: ARENA_TOKEN\.\)\n$/);
});

test("a match that starts again gets a new bot", limits, async (context) => {
  const arena = await Arena.open(context);
  const [, lost] = await arena.connect("counting");
  await lost.start(["m1"]);
  await lost.ask(decision("m1", 1));
  lost.end();
  const stream = await arena.stream();
  await stream.welcome();
  stream.say({ starts: [start("m1")] });
  const [answer] = await stream.ask(decision("m1", 1));
  assert.match(answer?.note ?? "", /^1 false /);
});
