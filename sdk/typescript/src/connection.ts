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
import type { Leaving } from "./leaving.js";
import { Patience } from "./patience.js";
import type { Session } from "./session.js";
import { BotFailure, Thoughts } from "./thoughts.js";

const METHOD = "/sevens.bot.v1.BotService/Play";
const OPTIONS = {
  // The arena decides how large a frame may be, and observes the limit itself.
  "grpc.max_receive_message_length": -1,
  // Attempts are independent: none waits because an earlier one failed.
  "grpc.use_local_subchannel_pool": 1,
  // Notices when a remote arena has vanished. gRPC servers allow only one ping in 5 minutes.
  "grpc.keepalive_time_ms": 310_000,
};
// The time to wait for the arena to end a stream that the bot has closed, and for `onEnd` calls
// that are still running.
const LAST_WORDS_MS = 5000;
// The time to wait for a goodbye, and between two looks whether it is over.
const GOODBYE_MS = 5000;
const LOOK_MS = 200;
// The time by which a crash may be delayed so that answers already given are written.
const FLUSH_MS = 1000;

/** Plays until the arena says goodbye. */
export async function play(
  session: Session,
  address: string,
  credentials: ChannelCredentials,
  leaving: Leaving,
): Promise<void> {
  const patience = new Patience(address);
  const thoughts = new Thoughts();
  for (;;) {
    const client = new Client(address, credentials, OPTIONS);
    const stream = new Stream(session, thoughts, dialled(client));
    leaving.onLeave = () => stream.leave();
    const reason = await stream.play();
    client.close();
    if (session.over) {
      await thoughts.seeEndsThrough(pause(LAST_WORDS_MS));
      return;
    }
    const waited = pause(patience.after(session.welcomedAt, reason));
    await Promise.race([waited, thoughts.failure, ...(session.leaving ? [] : [leaving.asked])]);
    if (session.over) {
      return;
    }
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
  // The number of frames that gRPC has accepted but not yet passed to the system.
  private unwritten = 0;
  // True once the bot has closed its side or has given up this stream.
  private closed = false;
  // The time at which the bot announced that it leaves.
  private leftAt = 0;
  // The reason why the stream is over, once it is.
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
    // The status says the same, but an error without a listener ends the process.
    call.on("error", () => {});
  }

  /** Returns the reason why the stream ended. */
  async play(): Promise<string> {
    this.thoughts.onProgress = () => this.say();
    this.write(this.session.open());
    if (this.session.leaving) {
      this.leave();
    }
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

  /** Announces that the bot leaves, if it is connected. */
  leave(): void {
    if (this.session.welcomedAt === undefined && this.session.matches === 0) {
      this.end("the bot has left");
      return;
    }
    this.say();
    this.leftAt = performance.now();
    this.waitForGoodbye();
  }

  /** Arenas older than `leave` do not answer it. */
  private waitForGoodbye(): void {
    const waited = performance.now() - Math.max(this.leftAt, this.session.idleSince);
    if (this.closed) {
      return;
    }
    if (this.session.matches === 0 && waited > GOODBYE_MS) {
      this.closed = true;
      this.call.end();
      this.end("the arena did not say goodbye");
      return;
    }
    setTimeout(() => this.waitForGoodbye(), LOOK_MS);
  }

  private take(frame: ArenaFrame): void {
    if (frame.ping) {
      this.write(create(BotFrameSchema, { pong: { number: frame.ping.number } }));
    }
    this.inbox.push(frame);
    if (this.inbox.length === 1) {
      // Frames that have arrived by then are handled, and answered, together.
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
   * Waits until all answers given so far are written: a crash is a fault only in the matches in
   * which an answer is missing.
   */
  private async flush(): Promise<void> {
    this.say();
    const limit = performance.now() + FLUSH_MS;
    while (this.unwritten > 0 && performance.now() < limit) {
      await turn();
    }
  }
}
