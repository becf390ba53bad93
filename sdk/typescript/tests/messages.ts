/** Messages as an arena would send them. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { type ArenaFrame, ArenaFrameSchema } from "../src/gen/sevens/bot/v1/bot_service_pb.js";
import { DecisionSchema } from "../src/gen/sevens/bot/v1/decision_pb.js";
import {
  ClockSettingsSchema,
  MatchEndSchema,
  MatchStartSchema,
} from "../src/gen/sevens/bot/v1/match_pb.js";
import { ObservationSchema } from "../src/gen/sevens/bot/v1/observation_pb.js";

export const LEGAL = ["play 7S", "play 8S", "pass"];

export function frame(fields: MessageInitShape<typeof ArenaFrameSchema>): ArenaFrame {
  return create(ArenaFrameSchema, fields);
}

export function start(matchId: string, fields: MessageInitShape<typeof MatchStartSchema> = {}) {
  return create(MatchStartSchema, {
    matchId,
    game: "xeri",
    rulesVersion: 1,
    seat: 1,
    teams: [0, 1, 0, 1],
    seed: Uint8Array.from({ length: 32 }, (_, place) => place),
    clock: create(ClockSettingsSchema, { bankMs: 60_000, incrementMs: 200 }),
    ...fields,
  });
}

export function decision(
  matchId: string,
  number = 1,
  fields: MessageInitShape<typeof DecisionSchema> = {},
) {
  return create(DecisionSchema, {
    matchId,
    number,
    seat: 1,
    timeLeftMs: 60_200,
    legalActions: LEGAL,
    observation: observation(),
    ...fields,
  });
}

function observation() {
  return create(ObservationSchema, {
    zones: [
      { name: "hand", owner: 0, hidden: 2 },
      { name: "hand", owner: 1, cards: ["7S", "8S"] },
      { name: "stock", cards: ["2C"], hidden: 40 },
    ],
    facts: [
      { name: "bids", isList: true },
      { name: "round", numbers: [0] },
      { name: "scores", numbers: [3, -4], isList: true },
      { name: "suits", words: ["S", "H"], isList: true },
      { name: "trump", words: ["S"] },
    ],
  });
}

export function end(matchId: string, fields: MessageInitShape<typeof MatchEndSchema> = {}) {
  return create(MatchEndSchema, { matchId, reason: "played-out", ...fields });
}
