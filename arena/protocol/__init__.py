"""The agreement between arena and bots: frames, kinds of fault, fair deals and final ranks."""

from arena.protocol.fairness import NONCE_LIMIT_BYTES, commitment_of, deal_seed, seat_seed
from arena.protocol.faults import Fault, FaultKind
from arena.protocol.frames import (
    FRAME_LIMIT_BYTES,
    DecisionWriter,
    decision_in,
    end_message,
    event_message,
    observation_message,
    start_message,
)
from arena.protocol.ranking import final_ranks, move_at_fault, rank_points, rated

__all__ = [
    "FRAME_LIMIT_BYTES",
    "NONCE_LIMIT_BYTES",
    "DecisionWriter",
    "Fault",
    "FaultKind",
    "commitment_of",
    "deal_seed",
    "decision_in",
    "end_message",
    "event_message",
    "final_ranks",
    "move_at_fault",
    "observation_message",
    "rank_points",
    "rated",
    "seat_seed",
    "start_message",
]
