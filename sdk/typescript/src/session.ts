/**
 * The bot's side of the protocol, without input and output.
 *
 * Takes the arena's frames, and returns calls of the bot's code and frames for the arena.
 */

import { randomBytes } from "node:crypto";
import { inspect } from "node:util";

import { create } from "@bufbuild/protobuf";

import type { Bot, BotClass } from "./bot.js";
import { Decision } from "./decision.js";
import {
  type ArenaFrame,
  type BotFrame,
  BotFrameSchema,
  type Hello,
  HelloSchema,
  type Welcome,
} from "./gen/sevens/bot/v1/bot_service_pb.js";
import {
  type Answer,
  AnswerSchema,
  type Decision as DecisionMessage,
} from "./gen/sevens/bot/v1/decision_pb.js";
import {
  type MatchEnd as EndMessage,
  type MatchAccept,
  MatchAcceptSchema,
  type MatchStart,
} from "./gen/sevens/bot/v1/match_pb.js";
import { Match, matchEnd } from "./match.js";
import { Random } from "./random.js";

export const VERSION = "0.1.0";
const PROTOCOL = 1;
const NONCE_BYTES = 32;
const NOTE_BYTES = 1024;
const TEXT_BYTES = 256;
// The size of the longest answer: its note, its text, the match's ID and the field tags.
const ANSWER_BYTES = 2048;
// The limit for a frame, until the arena has sent its own.
const FRAME_BYTES = 1 << 20;
// The number of legal actions that a warning names.
const ACTIONS_NAMED = 20;
// Stands for a decision's number: the acceptance of the match, which is owed like an answer.
const ACCEPTANCE = 0;

type Action = Exclude<Answer["action"], { case: undefined }>;

/** The arena has refused this bot; the message says why. */
export class Refused extends Error {}

/** A call of the bot's code, which may return a promise, and a consumer for the result. */
export interface Call {
  readonly task: "start" | "choice" | "end";
  readonly seat: Seat;
  begin(): unknown;
  finish(result: unknown): void;
}

/** A seat of a match that this bot plays. */
export class Seat {
  readonly random = new Random();
  bot: Bot | undefined;
  /** True once `onStart` is done. */
  ready = false;
  /** The latest stream on which the arena named the match. */
  stream = 0;
  /** The latest decision asked for, and the answer to it once there is one. */
  number = ACCEPTANCE;
  answer: Answer | undefined;

  constructor(readonly match: Match) {}

  /**
   * Reseeds the randomness for a decision. Earlier draws do not matter: a process that takes over
   * in the middle of a match must give the same answers.
   */
  seed(number: number): void {
    this.random.seed(this.match.seed, number);
  }

  toString(): string {
    return this.number === ACCEPTANCE ? `${this.match}` : `${this.match}, decision ${this.number}`;
  }
}

/** The conversation of this process with the arena, on one stream after another. */
export class Session {
  /** The time when the stream was welcomed, in milliseconds of `performance.now()`. */
  welcomedAt: number | undefined;
  goodbye = false;
  /** True from the moment at which the bot wants no further match. */
  leaving = false;
  /** The time when the bot last had a match, in the same milliseconds. */
  idleSince = performance.now();

  private leaveSaid = false;
  private readonly notices = new Set<string>();
  private readonly hello: Hello;
  private seats = new Map<string, Seat>();
  private stream = 0;
  private frameBytes = FRAME_BYTES;
  // The match and number of each answer that the arena is waiting for on this stream.
  private readonly owed = new Set<string>();
  private accepts: MatchAccept[] = [];
  private answers: Answer[] = [];

  constructor(
    private readonly botClass: BotClass,
    introduction: Pick<Hello, "token" | "games" | "matchesAtOnce">,
  ) {
    const sdk = `typescript ${VERSION}`;
    this.hello = create(HelloSchema, { ...introduction, protocol: PROTOCOL, sdk });
  }

  /**
   * Returns the first frame for a new stream, and forgets what was due on the previous one.
   * The matches stay: the arena will say which of them go on.
   */
  open(): BotFrame {
    this.welcomedAt = undefined;
    this.goodbye = false;
    this.leaveSaid = false;
    this.owed.clear();
    this.accepts = [];
    this.answers = [];
    return create(BotFrameSchema, { hello: this.hello });
  }

  /** Returns the calls that a frame leads to, in order. Ignores pings. */
  receive(frame: ArenaFrame): Call[] {
    const arrived = performance.now();
    if (frame.welcome) {
      this.welcome(frame.welcome);
    }
    if (frame.refusal) {
      throw new Refused(frame.refusal.sentence);
    }
    if (frame.goodbye) {
      this.goodbye = true;
    }
    return [
      ...frame.starts.flatMap((start) => this.start(start)),
      ...frame.decisions.flatMap((message) => this.ask(message, arrived)),
      ...frame.ends.flatMap((end) => this.end(end)),
    ];
  }

  /** Takes what is due to be sent: one frame, several if one would be too large, or none. */
  outgoing(): BotFrame[] {
    const leaves = this.leaving && !this.leaveSaid;
    if (this.answers.length === 0 && this.accepts.length === 0 && !leaves) {
      return [];
    }
    const { answers, accepts } = this;
    this.answers = [];
    this.accepts = [];
    const fit = Math.max(1, Math.floor(this.frameBytes / ANSWER_BYTES));
    const first = { accepts, answers: answers.slice(0, fit) };
    const frames = [create(BotFrameSchema, leaves ? { ...first, leave: {} } : first)];
    this.leaveSaid ||= leaves;
    for (let next = fit; next < answers.length; next += fit) {
      frames.push(create(BotFrameSchema, { answers: answers.slice(next, next + fit) }));
    }
    return frames;
  }

  /** The number of matches that the bot has. */
  get matches(): number {
    return this.seats.size;
  }

  /** True if there is no reason to dial again, once the stream has ended. */
  get over(): boolean {
    return this.goodbye || (this.leaving && this.matches === 0);
  }

  /** True once the arena has said goodbye and the bot has answered all that it owed. */
  get finished(): boolean {
    return this.goodbye && this.owed.size === 0;
  }

  // Frames of the arena --------------------------------------------------------------------------

  private welcome(welcome: Welcome): void {
    if (welcome.protocol > PROTOCOL) {
      throw new Refused(
        `The arena speaks protocol ${welcome.protocol}, and this SDK ${PROTOCOL}:` +
          " install a newer SDK.",
      );
    }
    this.welcomedAt = performance.now();
    this.idleSince = this.welcomedAt;
    if (welcome.notice && !this.notices.has(welcome.notice)) {
      this.notices.add(welcome.notice);
      warn(welcome.notice);
    }
    this.frameBytes = welcome.frameLimitBytes || FRAME_BYTES;
    // A match that the arena did not name on the whole stream before is over.
    for (const [id, seat] of this.seats) {
      if (seat.stream !== this.stream) {
        this.seats.delete(id);
      }
    }
    this.stream += 1;
  }

  private start(start: MatchStart): Call[] {
    const known = start.resumed ? this.seats.get(start.matchId) : undefined;
    const seat = known ?? new Seat(new Match(start));
    this.seats.set(start.matchId, seat);
    seat.stream = this.stream;
    this.owed.add(due(seat, ACCEPTANCE));
    if (seat.ready) {
      this.accept(seat);
    }
    if (known) {
      return [];
    }
    const begin = () => this.begin(seat);
    return [{ task: "start", seat, begin, finish: () => this.accept(seat) }];
  }

  private ask(message: DecisionMessage, arrived: number): Call[] {
    const seat = this.seats.get(message.matchId);
    if (!seat) {
      warn(`The arena asked for a decision in ${message.matchId}, a match it never started.`);
      return [];
    }
    this.owed.add(due(seat, message.number));
    if (seat.number === message.number) {
      // Asked again, after the stream was lost. The bot has answered, or is still thinking.
      if (seat.answer) {
        this.say(seat, seat.answer);
      }
      return [];
    }
    seat.number = message.number;
    seat.answer = undefined;
    const decision = new Decision(message, seat.match, seat.random, arrived);
    const begin = () => choose(seat, decision);
    return [
      { task: "choice", seat, begin, finish: (choice) => this.reply(seat, decision, choice) },
    ];
  }

  private end(message: EndMessage): Call[] {
    const seat = this.seats.get(message.matchId);
    if (!seat) {
      return [];
    }
    this.seats.delete(message.matchId);
    this.idleSince = performance.now();
    this.owed.delete(due(seat, ACCEPTANCE));
    this.owed.delete(due(seat, seat.number));
    const begin = () => seat.bot?.onEnd(matchEnd(message));
    return [{ task: "end", seat, begin, finish: () => {} }];
  }

  // Calls of the bot's code, and answers ---------------------------------------------------------

  private begin(seat: Seat): unknown {
    seat.seed(ACCEPTANCE);
    seat.bot = new this.botClass();
    seat.bot.match = seat.match;
    seat.bot.random = seat.random;
    return seat.bot.onStart();
  }

  private accept(seat: Seat): void {
    seat.ready = true;
    if (this.settle(seat, ACCEPTANCE)) {
      const nonce = randomBytes(NONCE_BYTES);
      this.accepts.push(create(MatchAcceptSchema, { matchId: seat.match.id, nonce }));
    }
  }

  private reply(seat: Seat, decision: Decision, choice: unknown): void {
    const answer = answerTo(decision, choice);
    // If the arena has meanwhile given up on this decision and asked for the next, it is of no use.
    if (seat.number === decision.number) {
      seat.answer = answer;
    }
    this.say(seat, answer);
  }

  private say(seat: Seat, answer: Answer): void {
    if (this.settle(seat, answer.number)) {
      this.answers.push(answer);
    }
  }

  /** Returns true if the arena is waiting for this on this stream, but only once. */
  private settle(seat: Seat, number: number): boolean {
    return this.seats.get(seat.match.id) === seat && this.owed.delete(due(seat, number));
  }
}

function due(seat: Seat, number: number): string {
  return `${number} ${seat.match.id}`;
}

function choose(seat: Seat, decision: Decision): unknown {
  seat.seed(decision.number);
  // A match's start comes before its decisions.
  return (seat.bot as Bot).choose(decision);
}

/** Returns the answer, even to an illegal choice: judging it is the arena's part. */
function answerTo(decision: Decision, choice: unknown): Answer {
  return create(AnswerSchema, {
    matchId: decision.match.id,
    number: decision.number,
    action: actionOf(decision, choice),
    note: cut(decision.notes, NOTE_BYTES),
  });
}

function actionOf(decision: Decision, choice: unknown): Action {
  if (typeof choice === "string") {
    if (decision.legal.includes(choice)) {
      return { case: "text", value: choice };
    }
  } else if (typeof choice === "number" && Number.isInteger(choice)) {
    if (choice >= 0 && choice < decision.legal.length) {
      return { case: "index", value: choice };
    }
  } else {
    throw new TypeError(
      `the bot chose ${inspect(choice)}; expected a legal action's text or its index`,
    );
  }
  warnOfIllegal(decision, choice);
  // An index is sent as text too, because the protocol's index cannot be negative.
  return { case: "text", value: cut(String(choice), TEXT_BYTES) };
}

/** Returns as much of the text as fits into `size` bytes of UTF-8. */
function cut(text: string, size: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= size) {
    return text;
  }
  // With `stream`, as if more were to follow, a character that is cut in two is held back.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, size), { stream: true });
}

function warnOfIllegal(decision: Decision, choice: string | number): void {
  const named = decision.legal.slice(0, ACTIONS_NAMED).map((action) => inspect(action));
  const more = decision.legal.length - named.length;
  warn(
    `The bot chose ${inspect(choice)}, which is not legal, in ${decision}.` +
      ` Legal: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  );
}

function warn(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
