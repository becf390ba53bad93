/** A real gRPC server that sends what a test gives it, and real bot processes. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type ServerDuplexStream } from "@grpc/grpc-js";

import {
  type ArenaFrame,
  ArenaFrameSchema,
  type BotFrame,
  BotFrameSchema,
} from "../src/gen/sevens/bot/v1/bot_service_pb.js";
import type { Answer, Decision } from "../src/gen/sevens/bot/v1/decision_pb.js";
import { frame, start } from "./messages.js";

const PLAY = {
  path: "/sevens.bot.v1.BotService/Play",
  requestStream: true,
  responseStream: true,
  requestDeserialize: (bytes: Buffer) => fromBinary(BotFrameSchema, bytes),
  requestSerialize: (message: BotFrame) => Buffer.from(toBinary(BotFrameSchema, message)),
  responseDeserialize: (bytes: Buffer) => fromBinary(ArenaFrameSchema, bytes),
  responseSerialize: (message: ArenaFrame) => Buffer.from(toBinary(ArenaFrameSchema, message)),
};

/** A queue that delivers its items one by one to those waiting for them. */
class Inbox<Item> {
  private readonly items: Item[] = [];
  private readonly waiting: ((item: Item) => void)[] = [];

  put(item: Item): void {
    const next = this.waiting.shift();
    next ? next(item) : this.items.push(item);
  }

  async take(): Promise<Item> {
    const item = this.items.shift();
    return item ?? new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** One stream with a bot, from the arena's side. */
export class Stream {
  private readonly heard = new Inbox<BotFrame | "closed">();

  constructor(private readonly call: ServerDuplexStream<BotFrame, ArenaFrame>) {
    call.on("data", (said: BotFrame) => this.heard.put(said));
    call.on("end", () => this.heard.put("closed"));
    call.on("error", () => this.heard.put("closed"));
  }

  say(fields: MessageInitShape<typeof ArenaFrameSchema>): void {
    this.call.write(frame(fields));
  }

  async hear(): Promise<BotFrame> {
    const said = await this.hearOrClose();
    if (said === "closed") {
      throw new Error("the bot has closed its side");
    }
    return said;
  }

  hearOrClose(): Promise<BotFrame | "closed"> {
    return this.heard.take();
  }

  async welcome(): Promise<BotFrame> {
    const hello = await this.hear();
    this.say({ welcome: { protocol: 1, arena: "scripted" } });
    return hello;
  }

  async start(matches: string[], resumed = false): Promise<void> {
    this.say({ starts: matches.map((match) => start(match, { resumed })) });
    for (let accepted = 0; accepted < matches.length; ) {
      accepted += (await this.hear()).accepts.length;
    }
  }

  /** Asks for decisions and returns as many answers. */
  async ask(...decisions: Decision[]): Promise<Answer[]> {
    this.say({ decisions });
    const answers: Answer[] = [];
    while (answers.length < decisions.length) {
      answers.push(...(await this.hear()).answers);
    }
    return answers;
  }

  /** Says goodbye, waits for the bot to close its side, and ends the stream. */
  async goodbye(): Promise<void> {
    this.say({ goodbye: { sentence: "that is all" } });
    while ((await this.hearOrClose()) !== "closed");
    this.end();
  }

  end(): void {
    this.call.end();
  }
}

export class BotProcess {
  private stderr = "";

  constructor(private readonly process: ChildProcess) {
    process.stderr?.on("data", (text) => {
      this.stderr += text;
    });
  }

  /** Waits until the process has ended; returns its exit code and its stderr. */
  async end(): Promise<[number | null, string]> {
    const { process } = this;
    if (process.exitCode === null) {
      await once(process, "close");
    }
    return [process.exitCode, this.stderr];
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.process.kill(signal);
  }
}

export class Arena {
  readonly address: string;
  private readonly folder = mkdtempSync(join(tmpdir(), "arena-"));
  private readonly streams = new Inbox<Stream>();
  private readonly bots: BotProcess[] = [];
  private server = new Server();

  /** Opens an arena, which is closed with its bots when the test is over. */
  static async open(context: TestContext): Promise<Arena> {
    const arena = new Arena();
    context.after(() => {
      arena.close();
      for (const bot of arena.bots) {
        bot.kill();
      }
      rmSync(arena.folder, { recursive: true });
    });
    await arena.open();
    return arena;
  }

  private constructor() {
    this.address = `unix:${this.folder}/arena.sock`;
  }

  open(): Promise<void> {
    this.server = new Server();
    this.server.addService(
      { play: PLAY },
      {
        play: (call: ServerDuplexStream<BotFrame, ArenaFrame>) =>
          this.streams.put(new Stream(call)),
      },
    );
    return new Promise((resolve, reject) => {
      this.server.bindAsync(this.address, ServerCredentials.createInsecure(), (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  close(): void {
    this.server.forceShutdown();
  }

  /** Starts one of `bots/`, and returns the process. */
  run(name: string, environment: Record<string, string> = {}): BotProcess {
    const program = join(import.meta.dirname, "bots", `${name}.js`);
    const env = { ARENA_ADDRESS: this.address, ARENA_TOKEN: "secret", ...environment };
    const bot = new BotProcess(
      spawn(process.execPath, [program], { env, stdio: ["ignore", "ignore", "pipe"] }),
    );
    this.bots.push(bot);
    return bot;
  }

  /** Starts one of `bots/`, and welcomes it. */
  async connect(name: string): Promise<[BotProcess, Stream]> {
    const bot = this.run(name);
    const stream = await this.stream();
    await stream.welcome();
    return [bot, stream];
  }

  /** Returns the next stream that a bot opens, or has opened. */
  stream(): Promise<Stream> {
    return this.streams.take();
  }
}
