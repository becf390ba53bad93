/** Frames and choices in a session, without a connection. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { ArenaFrame, BotFrame } from "../src/gen/sevens/bot/v1/bot_service_pb.js";
import { FaultKind } from "../src/gen/sevens/bot/v1/match_pb.js";
import { Bot, type BotClass, type Choice, type Decision, type MatchEnd } from "../src/index.js";
import { Refused, Session, VERSION } from "../src/session.js";
import { decision, end, frame, start } from "./messages.js";

function always(choice: unknown): BotClass {
  return class extends Bot {
    override choose(): Choice {
      return choice as Choice;
    }
  };
}

function sessionWith(botClass: BotClass, ...matches: string[]): Session {
  const session = new Session(botClass, { token: "secret", games: ["xeri"], matchesAtOnce: 8 });
  hear(session, frame({ welcome: { protocol: 1 } }));
  hear(session, frame({ starts: matches.map((match) => start(match)) }));
  return session;
}

/** Makes the calls that frames lead to, and returns what the bot sends. */
function hear(session: Session, ...frames: ArenaFrame[]): BotFrame[] {
  for (const call of frames.flatMap((each) => session.receive(each))) {
    call.finish(call.begin());
  }
  return session.outgoing();
}

function answersIn(frames: BotFrame[]) {
  return frames.flatMap(({ answers }) => answers);
}

function answerOf(choice: unknown) {
  const [answer, ...others] = answersIn(
    hear(sessionWith(always(choice), "m1"), frame({ decisions: [decision("m1", 3)] })),
  );
  assert.ok(answer);
  assert.deepEqual(others, []);
  assert.deepEqual([answer.matchId, answer.number], ["m1", 3]);
  return answer;
}

function stderrOf(context: TestContext): string[] {
  const said: string[] = [];
  context.mock.method(process.stderr, "write", (text: string) => said.push(text));
  return said;
}

test("the hello introduces the bot", () => {
  const session = new Session(always(0), { token: "secret", games: ["xeri"], matchesAtOnce: 8 });
  const { hello } = session.open();
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.equal(VERSION, version);
  assert.equal(hello?.sdk, `typescript ${version}`);
  assert.deepEqual([hello.token, hello.protocol, hello.matchesAtOnce], ["secret", 1, 8]);
  assert.deepEqual(hello.games, ["xeri"]);
});

test("matches are accepted with a nonce, decisions of one frame answered in one", () => {
  const session = sessionWith(always("pass"));
  const [accepting] = hear(session, frame({ starts: [start("m1"), start("m2")] }));
  assert.deepEqual(
    accepting?.accepts.map(({ matchId, nonce }) => [matchId, nonce.length]),
    [
      ["m1", 32],
      ["m2", 32],
    ],
  );
  const frames = hear(session, frame({ decisions: [decision("m1"), decision("m2")] }));
  assert.equal(frames.length, 1);
  assert.deepEqual(
    answersIn(frames).map(({ matchId }) => matchId),
    ["m1", "m2"],
  );
});

test("answers that are too many for a frame are split", () => {
  const session = sessionWith(always("pass"));
  hear(session, frame({ welcome: { protocol: 1, frameLimitBytes: 5000 } }));
  const matches = ["m1", "m2", "m3", "m4", "m5"];
  hear(session, frame({ starts: matches.map((match) => start(match)) }));
  const decisions = matches.map((match) => decision(match));
  const frames = hear(session, frame({ decisions }));
  assert.deepEqual(
    frames.map(({ answers }) => answers.length),
    [2, 2, 1],
  );
});

test("a legal choice is sent as it was made", (context) => {
  const said = stderrOf(context);
  assert.deepEqual(answerOf("pass").action, { case: "text", value: "pass" });
  assert.deepEqual(answerOf(0).action, { case: "index", value: 0 });
  assert.deepEqual(answerOf(2).action, { case: "index", value: 2 });
  assert.deepEqual(said, []);
});

test("an illegal choice is sent with a warning", (context) => {
  const said = stderrOf(context);
  assert.deepEqual(answerOf("play 9S").action, { case: "text", value: "play 9S" });
  assert.deepEqual(answerOf(-1).action, { case: "text", value: "-1" });
  assert.deepEqual(answerOf(3).action, { case: "text", value: "3" });
  const [first, second] = said;
  const rest =
    "which is not legal, in decision 3 of match m1 (xeri), seat 1." +
    " Legal: 'play 7S', 'play 8S', 'pass'.\n";
  assert.equal(first, `The bot chose 'play 9S', ${rest}`);
  assert.equal(second, `The bot chose -1, ${rest}`);
});

test("a warning names a limited number of actions", (context) => {
  const said = stderrOf(context);
  const legalActions = Array.from({ length: 1000 }, (_, number) => `move ${number}`);
  const asked = decision("m1", 1, { legalActions });
  hear(sessionWith(always("home"), "m1"), frame({ decisions: [asked] }));
  assert.match(String(said), /'move 18', 'move 19' and 980 more\.\n$/);
});

test("only texts and integers are choices", () => {
  const kinds = { undefined: undefined, null: null, "2.5": 2.5, NaN: NaN, true: true };
  for (const [described, choice] of Object.entries(kinds)) {
    assert.throws(() => answerOf(choice), {
      name: "TypeError",
      message: `the bot chose ${described}; expected a legal action's text or its index`,
    });
  }
});

test("notes and texts are cut between characters", (context) => {
  stderrOf(context);
  class Noting extends Bot {
    override choose(asked: Decision): string {
      asked.note("a line");
      asked.note("♠".repeat(400)); // 3 bytes each
      return "♠".repeat(100);
    }
  }
  const [answer] = answersIn(
    hear(sessionWith(Noting, "m1"), frame({ decisions: [decision("m1")] })),
  );
  assert.equal(answer?.note, `a line\n${"♠".repeat(339)}`); // 7 + 3 · 339 = 1024 bytes
  assert.equal(answer.action.value, "♠".repeat(85));
});

test("a decision that is asked again gets the same answer, and the bot is not asked", () => {
  let asked = 0;
  class Counting extends Bot {
    override choose({ legal }: Decision): string {
      asked += 1;
      return this.random.choice(legal);
    }
  }
  const session = sessionWith(Counting, "m1");
  const question = frame({ decisions: [decision("m1", 4)] });
  const given = answersIn(hear(session, question));
  assert.deepEqual(answersIn(hear(session, question)), given);
  session.open();
  hear(session, frame({ welcome: { protocol: 1 } }));
  const [accepting] = hear(session, frame({ starts: [start("m1", { resumed: true })] }));
  assert.equal(accepting?.accepts.length, 1);
  assert.deepEqual(answersIn(hear(session, question)), given);
  assert.equal(asked, 1);
});

test("another process answers the same, and each decision has randomness of its own", () => {
  class Random extends Bot {
    override choose(asked: Decision): number {
      asked.note(String(this.random.random()));
      return 0;
    }
  }
  const noted = (number: number, ...before: number[]) => {
    const session = sessionWith(Random, "m1");
    const asked = [...before, number].map((each) => decision("m1", each));
    return answersIn(hear(session, frame({ decisions: asked }))).at(-1)?.note;
  };
  assert.equal(noted(3, 1, 2), noted(3));
  assert.notEqual(noted(3), noted(2));
});

test("an answer that nobody waits for any more is not sent", () => {
  const session = sessionWith(always("pass"), "m1", "m2");
  const frames = hear(
    session,
    frame({ decisions: [decision("m1"), decision("m2")], ends: [end("m2")] }),
  );
  assert.deepEqual(
    answersIn(frames).map(({ matchId }) => matchId),
    ["m1"],
  );
});

test("an answer that comes late is not taken for that to the next decision", () => {
  const session = sessionWith(always("pass"), "m1");
  const [late] = session.receive(frame({ decisions: [decision("m1", 1)] }));
  const [next] = session.receive(frame({ decisions: [decision("m1", 2)] }));
  late?.finish("play 7S");
  session.receive(frame({ decisions: [decision("m1", 2)] }));
  next?.finish("pass");
  const said = answersIn(session.outgoing()).map(({ number, action }) => [number, action.value]);
  assert.deepEqual(said, [
    [1, "play 7S"],
    [2, "pass"],
  ]);
});

test("a match that a whole stream did not name is forgotten", (context) => {
  const said = stderrOf(context);
  const session = sessionWith(always("pass"), "m1", "m2");
  for (let stream = 0; stream < 2; stream++) {
    session.open();
    hear(session, frame({ welcome: { protocol: 1 } }));
    hear(session, frame({ starts: [start("m1", { resumed: true })] }));
  }
  assert.deepEqual(hear(session, frame({ decisions: [decision("m2")] })), []);
  assert.match(String(said), /asked for a decision in m2, a match it never started/);
});

test("after a goodbye the session is finished when nothing is owed", () => {
  const session = sessionWith(always("pass"), "m1");
  const goodbye = { sentence: "that is all" };
  const calls = session.receive(frame({ decisions: [decision("m1")], goodbye }));
  assert.equal(session.finished, false);
  for (const call of calls) {
    call.finish(call.begin());
  }
  assert.equal(session.finished, true);
  assert.equal(answersIn(session.outgoing()).length, 1);
});

test("a refusal is final", () => {
  const session = new Session(always(0), { token: "", games: [], matchesAtOnce: 1 });
  const refusal = { sentence: "This token was revoked." };
  const refused = (error: unknown) =>
    error instanceof Refused && error.message === refusal.sentence;
  assert.throws(() => session.receive(frame({ refusal })), refused);
});

test("a bot learns of its match's beginning and end", () => {
  const ends: MatchEnd[] = [];
  class Watching extends Bot {
    private begun = "";
    override onStart(): void {
      const { options, clock, players } = this.match;
      this.begun = JSON.stringify({ options, clock, players });
    }
    override choose(asked: Decision): number {
      asked.note(this.begun);
      return 0;
    }
    override onEnd(told: MatchEnd): void {
      ends.push(told);
    }
  }
  const session = sessionWith(Watching);
  const options = { deals: "-5", fast: "true", jokers: "two" };
  const [answer] = answersIn(
    hear(
      session,
      frame({ starts: [start("m1", { options })], decisions: [decision("m1")] }),
      frame({
        ends: [
          end("m1", {
            scores: [3, -1],
            ranks: [1, 2],
            faults: [
              { seat: 1, kind: FaultKind.ILLEGAL_ACTION, decision: 2, sentence: "Not legal." },
              { seat: 0, kind: 77 as FaultKind },
            ],
          }),
        ],
      }),
    ),
  );
  assert.equal(answer, undefined); // the match was over before the bot was asked
  assert.deepEqual(ends, [
    {
      scores: [3, -1],
      ranks: [1, 2],
      reason: "played-out",
      faults: [
        { seat: 1, kind: "illegal-action", decision: 2, sentence: "Not legal." },
        { seat: 0, kind: "kind-77", decision: 0, sentence: "" },
      ],
    },
  ]);
  const [before] = answersIn(
    hear(session, frame({ starts: [start("m2", { options })], decisions: [decision("m2")] })),
  );
  assert.deepEqual(JSON.parse(before?.note ?? ""), {
    options: { deals: -5, fast: true, jokers: "two" },
    clock: { bank: 60, increment: 0.2 },
    players: 4,
  });
});
