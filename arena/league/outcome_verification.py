"""Checks that an outcome belongs to its job: nothing is recorded on a worker's word alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.foreign_text import SENTENCE_LIMIT_BYTES, beginning, visible
from arena.queue import Job, Outcome, PlayedMatch
from arena.records import BadRecord, PrivateLog, Thinking, read_compressed, verify_sealed
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load

QUOTED_BYTES = 300
ARENA_BYTES = 100

Claim = tuple[str, object, object]
"""A field, the value it must have, and the value found."""


class WrongOutcome(ValueError):
    """The outcome cannot belong to the job. Its text names the contradiction."""


@dataclass(frozen=True)
class CheckedMatch:
    """A match of an outcome whose record is true.

    `body`: the record's bytes as they arrived.
    `thinking`: the times of each seat's own decisions.
    """

    record: MatchRecord
    body: bytes
    private_log: PrivateLog
    thinking: tuple[Thinking, ...]


def check(job: Job, outcome: Outcome) -> tuple[CheckedMatch, ...]:
    """Returns the matches of the outcome in order of their numbers. Raises WrongOutcome."""
    if len(outcome.matches) != len(job.seatings):
        raise WrongOutcome(
            f"The job has {len(job.seatings)} matches, the outcome {len(outcome.matches)}."
        )
    matches = tuple(
        _checked(job, outcome, number, played)
        for number, played in enumerate(outcome.matches, start=1)
    )
    for number, match in enumerate(matches[1:], start=2):
        _compare(number, _same_set(matches[0].record, match.record))
    if len({match.record.match_id for match in matches}) < len(matches):
        raise WrongOutcome("Two matches have the same id.")
    return matches


def _checked(job: Job, outcome: Outcome, number: int, played: PlayedMatch) -> CheckedMatch:
    try:
        sealed = read_compressed(played.record)
    except BadRecord as bad:
        raise WrongOutcome(f"Match {number}: {bad}") from None
    record = sealed.record
    _compare(number, _of_job(job, outcome, number, record))
    _compare(number, _seats(job, number, record))
    _compare(number, _sentences(record))
    verdict = verify_sealed(sealed)
    if not verdict.ok:
        raise WrongOutcome(f"Match {number}, {verdict.field}: {verdict.sentence}")
    log = _private_log(number, record, played)
    return CheckedMatch(record, played.record, log, verdict.thinking)


def _compare(number: int, claims: Iterator[Claim]) -> None:
    for field, wanted, found in claims:
        if wanted != found:
            raise WrongOutcome(
                f"Match {number}, {field}: must be {_quoted(wanted)}, not {_quoted(found)}."
            )


def _quoted(value: object) -> str:
    return beginning(repr(value), QUOTED_BYTES)


def _of_job(job: Job, outcome: Outcome, number: int, record: MatchRecord) -> Iterator[Claim]:
    yield "job_id", job.job_id, record.job_id
    yield "attempt", outcome.attempt, record.attempt
    yield "match_number", number, record.match_number
    yield "game", job.game, record.game
    yield "rules_version", job.rules_version, record.rules_version
    yield "options", job.options, dict(record.options)
    yield "clock.bank_ms", job.clock.bank_ms, record.clock.bank_ms
    yield "clock.increment_ms", job.clock.increment_ms, record.clock.increment_ms
    yield "deal_source.seed_text", job.seed_text, record.deal_source.seed_text
    yield "secret revealed", not job.seed_text, bool(record.deal_source.secret)
    yield from _origin(job, record)
    yield "seats", len(job.seatings[number - 1]), len(record.seats)


def _origin(job: Job, record: MatchRecord) -> Iterator[Claim]:
    """A match that repeats another has its deals, and begins with its choices."""
    origin = job.origin
    yield "origin", origin is not None, record.HasField("origin")
    if origin is None:
        return
    yield "origin.match", origin.match, record.origin.match
    yield "origin.digest", origin.digest, record.origin.digest
    yield "origin.choices", len(origin.choices), record.origin.choices
    taken = record.choices[: len(origin.choices)]
    yield "the repeated choices", origin.choices, tuple((c.seat, c.action) for c in taken)
    if origin.secret:
        yield "deal_source.secret", origin.secret, record.deal_source.secret
        yield "the entrants' nonces", list(origin.nonces), _nonces(record)


def _seats(job: Job, number: int, record: MatchRecord) -> Iterator[Claim]:
    teams = load(job.game).teams(len(record.seats))
    seating = job.seatings[number - 1]
    for index, (seat, entrant, team) in enumerate(zip(record.seats, seating, teams, strict=True)):
        yield f"seats[{index}].entrant", entrant, seat.entrant
        yield f"seats[{index}].bot", job.entrants[entrant].bot, seat.bot
        yield f"seats[{index}].version", job.entrants[entrant].version, seat.version
        yield f"seats[{index}].team", team, seat.team


def _sentences(record: MatchRecord) -> Iterator[Claim]:
    """The public sentence of a fault, and the arena's name, are short and on one line."""
    yield "arena", visible(beginning(record.arena, ARENA_BYTES)), record.arena
    for index, fault in enumerate(record.faults):
        bounded = visible(beginning(fault.sentence, SENTENCE_LIMIT_BYTES))
        yield f"faults[{index}].sentence", bounded, fault.sentence


def _same_set(first: MatchRecord, record: MatchRecord) -> Iterator[Claim]:
    """The matches of a job use the same deals."""
    yield "deal_source.commitment", first.deal_source.commitment, record.deal_source.commitment
    yield "deal_source.secret", first.deal_source.secret, record.deal_source.secret
    yield "the entrants' nonces", _nonces(first), _nonces(record)


def _nonces(record: MatchRecord) -> Sequence[str]:
    return [seat.nonce for seat in sorted(record.seats, key=lambda seat: seat.entrant)]


def _private_log(number: int, record: MatchRecord, played: PlayedMatch) -> PrivateLog:
    try:
        log = PrivateLog.from_json(played.private_log)
    except ValueError as error:
        raise WrongOutcome(f"Match {number}, its private log: {error}") from None
    _compare(number, iter([("its private log", record.match_id, log.match_id)]))
    _compare(number, iter([("its private log's seats", len(record.seats), len(log.seats))]))
    return log
