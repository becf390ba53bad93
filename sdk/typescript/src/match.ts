/** The facts of a match, as one seat receives them at its beginning and at its end. */

import {
  type MatchEnd as EndMessage,
  FaultKind,
  type MatchStart as StartMessage,
} from "./gen/sevens/bot/v1/match_pb.js";

/** A bank of seconds for the whole match, and the seconds that each decision adds to it. */
export interface Clock {
  readonly bank: number;
  readonly increment: number;
}

/** The facts of a match. */
export class Match {
  readonly id: string;
  readonly game: string;
  readonly rulesVersion: number;
  readonly options: Readonly<Record<string, number | boolean | string>>;
  readonly seat: number;
  /** The team of each seat, by seat. */
  readonly teams: readonly number[];
  readonly clock: Clock;
  /** The seat's own 32 random bytes. */
  readonly seed: Uint8Array;
  /** SHA-256 of the secret behind the deals; empty if they follow a known seed. */
  readonly commitment: Uint8Array;
  /** True if the match had begun before, in a process or on a connection that was lost. */
  readonly resumed: boolean;

  constructor(start: StartMessage) {
    this.id = start.matchId;
    this.game = start.game;
    this.rulesVersion = start.rulesVersion;
    this.options = Object.fromEntries(
      Object.entries(start.options).map(([name, text]) => [name, valueIn(text)]),
    );
    this.seat = start.seat;
    this.teams = start.teams;
    this.clock = {
      bank: (start.clock?.bankMs ?? 0) / 1000,
      increment: (start.clock?.incrementMs ?? 0) / 1000,
    };
    this.seed = start.seed;
    this.commitment = start.commitment;
    this.resumed = start.resumed;
  }

  get players(): number {
    return this.teams.length;
  }

  toString(): string {
    return `match ${this.id} (${this.game}), seat ${this.seat}`;
  }
}

/** Returns an option's value; the arena sends it as text. */
function valueIn(text: string): number | boolean | string {
  if (text === "true" || text === "false") {
    return text === "true";
  }
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** The reason why the arena played for a seat from a certain decision on. */
export interface Fault {
  readonly seat: number;
  /** A word such as "timeout" or "illegal-action". */
  readonly kind: string;
  /** The number of that decision, 0 before the first; sent to the seat's own team only. */
  readonly decision: number;
  /** A description of it; sent to the seat's own team only. */
  readonly sentence: string;
}

/** The end of a match. */
export interface MatchEnd {
  /** The final scores, by seat. */
  readonly scores: readonly number[];
  /** The ranks, by seat: 1 is best, equal ranks are ties. */
  readonly ranks: readonly number[];
  /** The game's own word for what ended it, or "abandoned". */
  readonly reason: string;
  readonly faults: readonly Fault[];
}

export function matchEnd(end: EndMessage): MatchEnd {
  return {
    scores: end.scores,
    ranks: end.ranks,
    reason: end.reason,
    faults: end.faults.map(({ seat, kind, decision, sentence }) => {
      return { seat, kind: kindOf(kind), decision, sentence };
    }),
  };
}

/** Returns the name of a kind of fault: "kind-N" if it is newer than this SDK. */
function kindOf(kind: FaultKind): string {
  const name: string | undefined = FaultKind[kind];
  return name?.toLowerCase().replaceAll("_", "-") ?? `kind-${kind}`;
}
