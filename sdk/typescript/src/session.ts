/**
 * The bot's side of the protocol, without input and output.
 *
 * Frames of the arena go in; calls of the bot's code, and frames for the arena, come out.
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
// What an answer takes at most: note, text, and the names of the match and of the fields.
const ANSWER_BYTES = 2048;
// The limit for a frame, until the arena has told its own.
const FRAME_BYTES = 1 << 20;
// How many legal actions a warning names.
const ACTIONS_NAMED = 20;
// As the number of a decision: the acceptance of the match, which is owed like an answer.
const ACCEPTANCE = 0;

type Action = Exclude<Answer["action"], { case: undefined }>;

/** The arena does not want this bot; the message says why. */
export class Refused extends Error {}

/** A call of the bot's code, which may return a promise, and what is done with the result. */
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
  /** Whether `onStart` is done. */
  ready = false;
  /** The stream on which the arena has named the match last. */
  stream = 0;
  /** The latest decision asked for, and the answer to it once there is one. */
  number = ACCEPTANCE;
  answer: Answer | undefined;

  constructor(readonly match: Match) {}

  /**
   * Seeds the randomness for a decision. What was drawn before does not matter: a process that
   * takes over in the middle of a match has to answer the same.
   */
  seed(number: number): void {
    this.random.seed(this.match.seed, number);
  }

  toString(): string {
    return this.number === ACCEPTANCE ? `${this.match}` : `${this.match}, decision ${this.number}`;
  }
}

/** All that this process and the arena say to each other, on one stream after another. */
export class Session {
  /** When the stream was welcomed, in milliseconds of `performance.now()`. */
  welcomedAt: number | undefined;
  goodbye = false;

  private readonly hello: Hello;
  private seats = new Map<string, Seat>();
  private stream = 0;
  private frameBytes = FRAME_BYTES;
  // Match and number of what the arena waits for on this stream.
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
   * Returns the first frame for a new stream, and forgets what was due on the one before. The
   * matches stay: the arena will say which of them go on.
   */
  open(): BotFrame {
    this.welcomedAt = undefined;
    this.goodbye = false;
    this.owed.clear();
    this.accepts = [];
    this.answers = [];
    return create(BotFrameSchema, { hello: this.hello });
  }

  /** Returns the calls that a frame leads to, in order. Pings are not for here. */
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

  /** Takes what there is to say: one frame, several where one would be too large, or none. */
  outgoing(): BotFrame[] {
    if (this.answers.length === 0 && this.accepts.length === 0) {
      return [];
    }
    const { answers, accepts } = this;
    this.answers = [];
    this.accepts = [];
    const fit = Math.max(1, Math.floor(this.frameBytes / ANSWER_BYTES));
    const frames = [create(BotFrameSchema, { accepts, answers: answers.slice(0, fit) })];
    for (let first = fit; first < answers.length; first += fit) {
      frames.push(create(BotFrameSchema, { answers: answers.slice(first, first + fit) }));
    }
    return frames;
  }

  /** Whether the arena has said goodbye and this bot has answered all it owed. */
  get finished(): boolean {
    return this.goodbye && this.owed.size === 0;
  }

  // What the arena says --------------------------------------------------------------------------

  private welcome(welcome: Welcome): void {
    this.welcomedAt = performance.now();
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
    this.owed.delete(due(seat, ACCEPTANCE));
    this.owed.delete(due(seat, seat.number));
    const begin = () => seat.bot?.onEnd(matchEnd(message));
    return [{ task: "end", seat, begin, finish: () => {} }];
  }

  // What the bot's code does, and says -----------------------------------------------------------

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
    // If the arena gave the decision up meanwhile, and asks for the next, this one is of no use.
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

  /** Returns, once, whether the arena waits for this on this stream. */
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

/** Returns the answer, also if the choice is not legal: to judge is the arena's part. */
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
      `the bot chose ${inspect(choice)}; expected is a legal action's text or its index`,
    );
  }
  warnOfIllegal(decision, choice);
  // An index too is sent as a text, because the protocol's cannot be negative.
  return { case: "text", value: cut(String(choice), TEXT_BYTES) };
}

/** Returns as much of the text as fits into so many bytes of UTF-8. */
function cut(text: string, size: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= size) {
    return text;
  }
  // As if more were to come: then a character that is cut through is held back.
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
