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

/** A place where cards lie. */
export interface Zone {
  readonly name: string;
  /** The seat it belongs to, or undefined where it belongs to nobody. */
  readonly owner?: number | undefined;
  /** The codes of the cards that the seat sees, in the order of the place where it has one. */
  readonly cards: readonly string[];
  /** How many more cards lie there. */
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
   * Returns a fact's value. Which type it has is the game's to say, and yours to name:
   * `fact<number>("round")`.
   */
  fact<Value extends FactValue = FactValue>(name: string): Value {
    const found = this.message.facts.find((fact) => fact.name === name);
    if (found === undefined) {
      const names = this.message.facts.map((fact) => fact.name).join(", ");
      throw new RangeError(`there is no fact '${name}' here, but: ${names || "none"}`);
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
    /** The arena's message, for what has to be as fast as can be. */
    readonly message: DecisionMessage,
    /** The match it belongs to. */
    readonly match: Match,
    /** A source of randomness that is the same whenever this decision is asked. */
    readonly random: Random,
    private readonly arrived: number,
  ) {}

  /** The texts of all legal actions. An action's index is its place here. */
  get legal(): readonly string[] {
    return this.message.legalActions;
  }

  /** The seat's own count of its decisions, from 1, with those that the arena made for it. */
  get number(): number {
    return this.message.number;
  }

  get seat(): number {
    return this.message.seat;
  }

  /** The seconds that are left on the clock now, those for the way to the arena included. */
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

  /** What the seat has learnt since its previous decision, oldest first. */
  get events(): readonly Event[] {
    return this.message.events;
  }

  /** How many events, the oldest ones, were left out of `events` to keep the message small. */
  get eventsLeftOut(): number {
    return this.message.eventsLeftOut;
  }

  /**
   * Adds a line to the note that goes with the answer.
   *
   * Only the bot's owner sees it, beside the decision. What goes beyond 1 KiB is cut.
   */
  note(text: string): void {
    this.noted.push(text);
  }

  /** What has been noted so far. */
  get notes(): string {
    return this.noted.join("\n");
  }

  toString(): string {
    return `decision ${this.number} of ${this.match}`;
  }
}
