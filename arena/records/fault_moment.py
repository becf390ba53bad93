"""The moment of a fault: the decision and the seat's clock."""

from __future__ import annotations

from typing import NamedTuple

from arena.records.replay import replay
from sevens.record.v1 import match_record_pb2 as pb


class FaultMoment(NamedTuple):
    """The decision at which a seat was at fault.

    `place`: its number among all decisions of the match, from 1.
    `time_left_ms`: the seat's time for it, including the increment.
    `time_used_ms`: the time it used for all decisions before.
    """

    place: int
    time_left_ms: int
    time_used_ms: int


def fault_moment(record: pb.MatchRecord, seat: int) -> FaultMoment | None:
    """Returns the moment of a seat's fault; None without a fault, or if it was at no decision.
    Raises BadRecord."""
    used_ms = 0
    for step in replay(record):
        if step.seat != seat or not step.asked:
            continue
        if step.fault is not None:
            return FaultMoment(step.place + 1, step.time_left_ms, used_ms)
        used_ms += step.milliseconds
    return None
