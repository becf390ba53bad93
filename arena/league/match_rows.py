"""The rows of a finished match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from arena import records
from arena.league.outcome_verification import CheckedMatch
from arena.protocol import rated
from arena.store.schema import Match, MatchSeat, PrivateLog, Record
from arena.store.texts import packed
from sevens.record.v1.match_record_pb2 import MatchRecord


def match_row(
    competition: str,
    record: MatchRecord,
    thinking: Sequence[records.Thinking],
    log: records.PrivateLog | None = None,
) -> Match:
    """Returns the row of a match, with its seats; without a log, they lack the bots' words.

    `thinking`: the times of each seat's own decisions.
    """
    teams = [seat.team for seat in record.seats]
    return Match(
        id=record.match_id,
        job=record.job_id,
        number=record.match_number,
        attempt=record.attempt,
        competition=competition,
        game=record.game,
        rules_version=record.rules_version,
        reason=record.result.reason,
        rated=rated(teams, {fault.seat for fault in record.faults}),
        digest=record.digest,
        surprise=0.0,
        started_at=datetime.fromisoformat(record.started_at),
        finished_at=datetime.fromisoformat(record.finished_at),
        seats=[
            _seat_row(competition, record, seat, times, log) for seat, times in enumerate(thinking)
        ],
    )


def record_row(match: CheckedMatch) -> Record:
    """Returns the record's row; the store keeps the very bytes that the worker sent."""
    return Record(match=match.record.match_id, digest=match.record.digest, body=match.body)


def private_log_row(match: CheckedMatch) -> PrivateLog:
    """Returns the private log's row, compressed."""
    body = packed(match.private_log.to_json())
    return PrivateLog(match=match.record.match_id, body=body)


def _seat_row(
    competition: str,
    record: MatchRecord,
    seat: int,
    thinking: records.Thinking,
    log: records.PrivateLog | None,
) -> MatchSeat:
    fault = next((fault for fault in record.faults if fault.seat == seat), None)
    return MatchSeat(
        match=record.match_id,
        seat=seat,
        version=record.seats[seat].version,
        bot=record.seats[seat].bot,
        team=record.seats[seat].team,
        score=record.result.scores[seat],
        rank=record.result.ranks[seat],
        fault_kind=fault and fault.kind,
        fault_decision=fault and fault.decision,
        fault_sentence=fault and fault.sentence,
        fault_words=log.seats[seat].fault_words if fault and log else None,
        competition=competition,
        finished_at=datetime.fromisoformat(record.finished_at),
        margin=margin(record, seat),
        decision_counts=list(thinking.counts),
        total_ms=thinking.total_ms,
        slowest_ms=thinking.slowest_ms,
    )


def margin(record: MatchRecord, seat: int) -> int:
    """Returns by how many points a seat is ahead of the best seat of another team; negative if it
    is behind. Ranks tell which score is better, since in some games it is the lower one."""
    ranks, scores = record.result.ranks, record.result.scores
    others = [other for other in range(len(ranks)) if not _together(record, seat, other)]
    best = min(others, key=lambda other: ranks[other])
    points = abs(scores[seat] - scores[best])
    return points * ((ranks[seat] < ranks[best]) - (ranks[seat] > ranks[best]))


def _together(record: MatchRecord, one: int, other: int) -> bool:
    return record.seats[one].team == record.seats[other].team
