"""Replays a recorded match, choice by choice or as it was sent to one seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.protocol import (
    FRAME_LIMIT_BYTES,
    DecisionWriter,
    Fault,
    FaultKind,
    decision_in,
    end_message,
    start_message,
)
from arena.records.setup import digest, recorded_deals, started
from arena.records.timeline import ChosenBy, Owed, Step, moments
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Match

__all__ = ["ChosenBy", "Frames", "Step", "frames_of", "replay"]


class Frames(NamedTuple):
    """Every message that was sent to a seat in a match, once each, even if connections broke."""

    start: MatchStart
    decisions: list[Decision]
    end: MatchEnd


def replay(record: pb.MatchRecord) -> Iterator[Step]:
    """Yields every choice of the match, dealing the cards that the record lists.

    Raises BadRecord, naming the first field that contradicts the rules; `verify` checks the rest.
    """
    match = started(record, recorded_deals(record))
    return (moment for moment in moments(record, match) if isinstance(moment, Step))


def frames_of(
    record: pb.MatchRecord, seat: int, frame_limit_bytes: int = FRAME_LIMIT_BYTES
) -> Frames:
    """Returns the frames that the seat was sent. Raises BadRecord like `replay`."""
    match = started(record, recorded_deals(record))
    writer = DecisionWriter(record.match_id, frame_limit_bytes)
    decisions, heard = [], 0
    for moment in moments(record, match):
        if isinstance(moment, Owed) and moment.seat == seat:
            events = match.events(seat, heard)
            heard += len(events)
            frame = writer.frame(
                number=moment.number,
                seat=seat,
                time_left_ms=moment.time_left_ms,
                legal=moment.legal,
                observation=match.observe(seat),
                events=events,
            )
            decisions.append(decision_in(frame))
    return Frames(_start(record, match, seat), decisions, _end(record, seat))


def _start(record: pb.MatchRecord, match: Match, seat: int) -> MatchStart:
    commitment = record.deal_source.commitment
    return start_message(
        match_id=record.match_id,
        game=match.game,
        options=match.options,
        seat=seat,
        teams=[each.team for each in record.seats],
        bank_ms=record.clock.bank_ms,
        increment_ms=record.clock.increment_ms,
        commitment=digest("deal_source.commitment", commitment) if commitment else b"",
        seed=digest(f"seats[{seat}].seed", record.seats[seat].seed),
    )


def _end(record: pb.MatchRecord, seat: int) -> MatchEnd:
    return end_message(
        match_id=record.match_id,
        seat=seat,
        teams=[each.team for each in record.seats],
        scores=record.result.scores,
        ranks=record.result.ranks,
        reason=record.result.reason,
        faults=[
            Fault(fault.seat, FaultKind(fault.kind), fault.decision, fault.sentence)
            for fault in record.faults
        ],
    )


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
