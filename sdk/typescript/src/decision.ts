/** A decision as a bot sees it: views of messages that cost little until used. */

import { create } from "@bufbuild/protobuf";

import type { Decision as DecisionMessage } from "./gen/sevens/bot/v1/decision_pb.js";
import {
  type Fact,
  type Observation as ObservationMessage,
  ObservationSchema,
} from "./gen/sevens/bot/v1/observation_pb.js";
import type { Match } from "./match.js";
import type { Random } from "./random.js";

export type FactValue = number | string | readonly number[] | readonly string[];

/** A place for cards. */
export interface Zone {
  readonly name: string;
  /** The seat that it belongs to, or undefined. */
  readonly owner?: number | undefined;
  /** The codes of the cards that the seat sees, in the zone's order if it has one. */
  readonly cards: readonly string[];
  /** The number of cards that the seat does not see. */
  readonly hidden: number;
}

/** Something that happened, as the seat may know it. */
export interface Event {
  readonly verb: string;
  /** The seat that did it or that it happened to, or undefined. */
  readonly actor?: number | undefined;
  /** Cards, numbers and words, all as texts. */
  readonly arguments: readonly string[];
}

const NOTHING = create(ObservationSchema);

/**
 * All that the seat may see: zones with cards, and facts.
 *
 * `arena games show SLUG` explains those of a game.
 */
export class Observation {
  constructor(readonly message: ObservationMessage) {}

  get zones(): readonly Zone[] {
    return this.message.zones;
  }

  /** Returns the zone of that name and owner; an empty one if there is none now. */
  zone(name: string, owner?: number): Zone {
    const found = this.message.zones.find((zone) => zone.name === name && zone.owner === owner);
    return found ?? { name, owner, cards: [], hidden: 0 };
  }

  /** Returns the cards that the seat sees in the zone of that name and owner. */
  cards(name: string, owner?: number): readonly string[] {
    return this.zone(name, owner).cards;
  }

  get facts(): ReadonlyMap<string, FactValue> {
    return new Map(this.message.facts.map((fact) => [fact.name, valueIn(fact)]));
  }

  /**
   * Returns a fact's value. The game determines its type, and you name it:
   * `fact<number>("round")`.
   */
  fact<Value extends FactValue = FactValue>(name: string): Value {
    const found = this.message.facts.find((fact) => fact.name === name);
    if (found === undefined) {
      const names = this.message.facts.map((fact) => fact.name).join(", ");
      throw new RangeError(`there is no fact '${name}' here, only: ${names || "none"}`);
    }
    return valueIn(found) as Value;
  }
}

function valueIn(fact: Fact): FactValue {
  const values = fact.numbers.length > 0 ? fact.numbers : fact.words;
  return fact.isList ? values : (values[0] as number | string);
}

/** A decision that the bot owes. */
export class Decision {
  private readonly noted: string[] = [];

  constructor(
    /** The arena's message, for code that must be as fast as possible. */
    readonly message: DecisionMessage,
    /** The match that it belongs to. */
    readonly match: Match,
    /** A source of randomness that repeats itself if the arena asks for this decision again. */
    readonly random: Random,
    private readonly arrived: number,
  ) {}

  /** The texts of all legal actions. An action's index is its place here. */
  get legal(): readonly string[] {
    return this.message.legalActions;
  }

  /** The seat's count of its decisions, from 1, including those the arena made for it. */
  get number(): number {
    return this.message.number;
  }

  get seat(): number {
    return this.message.seat;
  }

  /** The seconds now left on the clock, in which the answer must reach the arena. */
  get timeLeft(): number {
    return (this.message.timeLeftMs - (performance.now() - this.arrived)) / 1000;
  }

  get observation(): Observation {
    return new Observation(this.message.observation ?? NOTHING);
  }

  /** The cards of the seat's own zone "hand", which most games have. */
  get hand(): readonly string[] {
    return this.observation.cards("hand", this.seat);
  }

  /** Everything the seat has learnt since its previous decision, oldest first. */
  get events(): readonly Event[] {
    return this.message.events;
  }

  /** The number of events, the oldest ones, left out of `events` to keep the message small. */
  get eventsLeftOut(): number {
    return this.message.eventsLeftOut;
  }

  /**
   * Adds a line to the note that goes with the answer.
   *
   * Only the bot's owner sees it, next to the decision. Anything beyond 1 KiB is cut off.
   */
  note(text: string): void {
    this.noted.push(text);
  }

  /** The note so far. */
  get notes(): string {
    return this.noted.join("\n");
  }

  toString(): string {
    return `decision ${this.number} of ${this.match}`;
  }
}
