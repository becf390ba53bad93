"""The rows of a finished match."""

from __future__ import annotations

from datetime import datetime

from arena import records
from arena.league.verify_outcome import CheckedMatch
from arena.protocol import rated
from arena.store import Match, MatchSeat, PrivateLog, Record, packed
from sevens.record.v1.match_record_pb2 import MatchRecord


def match_row(
    competition: str, record: MatchRecord, log: records.PrivateLog | None = None
) -> Match:
    """Returns the row of a match, with its seats; without a log, they lack the bots' words."""
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
        started_at=datetime.fromisoformat(record.started_at),
        finished_at=datetime.fromisoformat(record.finished_at),
        seats=[_seat_row(competition, record, seat, log) for seat in range(len(record.seats))],
    )


def record_row(match: CheckedMatch) -> Record:
    """Returns the record's row; the store keeps the very bytes that the worker sent."""
    return Record(match=match.record.match_id, digest=match.record.digest, body=match.body)


def private_log_row(match: CheckedMatch) -> PrivateLog:
    """Returns the private log's row, compressed."""
    body = packed(match.private_log.to_json())
    return PrivateLog(match=match.record.match_id, body=body)


def _seat_row(
    competition: str, record: MatchRecord, seat: int, log: records.PrivateLog | None
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
    )
