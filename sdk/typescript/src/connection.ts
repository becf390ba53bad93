/** Connects a session to an arena: one stream after another, until the arena says goodbye. */

import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type ChannelCredentials, Client, type ClientDuplexStream, status } from "@grpc/grpc-js";

import {
  type ArenaFrame,
  ArenaFrameSchema,
  type BotFrame,
  BotFrameSchema,
} from "./gen/sevens/bot/v1/bot_service_pb.js";
import { Patience } from "./patience.js";
import type { Session } from "./session.js";
import { BotFailure, Thoughts } from "./thoughts.js";

const METHOD = "/sevens.bot.v1.BotService/Play";
const OPTIONS = {
  // How large a frame may be is the arena's to say, and it keeps to that.
  "grpc.max_receive_message_length": -1,
  // Every attempt is its own: no waiting for what an earlier one has learnt.
  "grpc.use_local_subchannel_pool": 1,
  // Notices that a far arena is gone; more often than every 5 minutes gRPC servers do not allow.
  "grpc.keepalive_time_ms": 310_000,
};
// How long to wait for the arena to end a stream that the bot has closed, and for the ends of
// matches that the bot's code has still to see through.
const LAST_WORDS_MS = 5000;
// How long a crash may be delayed so that what has been answered is written.
const FLUSH_MS = 1000;

/** Plays until the arena says goodbye. */
export async function play(
  session: Session,
  address: string,
  credentials: ChannelCredentials,
): Promise<void> {
  const patience = new Patience(address);
  const thoughts = new Thoughts();
  for (;;) {
    const client = new Client(address, credentials, OPTIONS);
    const reason = await new Stream(session, thoughts, dialled(client)).play();
    client.close();
    if (session.goodbye) {
      await thoughts.seeEndsThrough(pause(LAST_WORDS_MS));
      return;
    }
    await Promise.race([pause(patience.after(session.welcomedAt, reason)), thoughts.failure]);
  }
}

function dialled(client: Client): ClientDuplexStream<BotFrame, ArenaFrame> {
  return client.makeBidiStreamRequest(
    METHOD,
    (frame: BotFrame) => Buffer.from(toBinary(BotFrameSchema, frame)),
    (bytes: Buffer) => fromBinary(ArenaFrameSchema, bytes),
  );
}

class Stream {
  private inbox: ArenaFrame[] = [];
  // How many frames gRPC has taken, but not yet handed to the system.
  private unwritten = 0;
  // Whether the bot has closed its side, or does not care for this stream any more.
  private closed = false;
  // Why the stream is over, as soon as it is.
  private readonly over: Promise<string>;
  private end!: (reason: string) => void;
  private refuse!: (error: unknown) => void;

  constructor(
    private readonly session: Session,
    private readonly thoughts: Thoughts,
    private readonly call: ClientDuplexStream<BotFrame, ArenaFrame>,
  ) {
    this.over = new Promise((resolve, reject) => {
      this.end = resolve;
      this.refuse = reject;
    });
    call.on("data", (frame: ArenaFrame) => this.take(frame));
    call.on("status", ({ code, details }) => {
      this.hear();
      this.end(
        code === status.OK
          ? "the arena ended the stream without a goodbye"
          : `${details} (${status[code]})`,
      );
    });
    // The status says the same; but an error that nobody listens to ends the process.
    call.on("error", () => {});
  }

  /** Returns why the stream has ended. */
  async play(): Promise<string> {
    this.thoughts.onProgress = () => this.say();
    this.write(this.session.open());
    try {
      const reason = await Promise.race([this.over, this.thoughts.failure]);
      this.closed = true;
      this.call.cancel();
      return reason;
    } catch (error) {
      if (error instanceof BotFailure) {
        await this.flush();
      }
      throw error;
    }
  }

  private take(frame: ArenaFrame): void {
    if (frame.ping) {
      this.write(create(BotFrameSchema, { pong: { number: frame.ping.number } }));
    }
    this.inbox.push(frame);
    if (this.inbox.length === 1) {
      // What else has arrived by now is handled, and answered, together with it.
      setImmediate(() => this.hear());
    }
  }

  private hear(): void {
    const frames = this.inbox;
    this.inbox = [];
    try {
      this.thoughts.add(frames.flatMap((frame) => this.session.receive(frame)));
    } catch (error) {
      this.refuse(error);
    }
  }

  private say(): void {
    if (this.closed) {
      return;
    }
    for (const frame of this.session.outgoing()) {
      this.write(frame);
    }
    if (this.session.finished) {
      this.close();
    }
  }

  private write(frame: BotFrame): void {
    if (this.closed) {
      return;
    }
    this.unwritten += 1;
    this.call.write(frame, () => {
      this.unwritten -= 1;
    });
  }

  private close(): void {
    this.closed = true;
    this.call.end();
    setTimeout(() => this.end("the arena did not end the stream"), LAST_WORDS_MS);
  }

  /**
   * Waits until what has been answered is written: a crash is a fault only in the matches in which
   * an answer is missing.
   */
  private async flush(): Promise<void> {
    this.say();
    const limit = performance.now() + FLUSH_MS;
    while (this.unwritten > 0 && performance.now() < limit) {
      await turn();
    }
  }
}
