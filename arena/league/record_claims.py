"""Checks the records of a competition's public file against what its document says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.records import BadRecord, read, verify_record
from sevens.record.v1.match_record_pb2 import MatchRecord


class PlayedTerms(Protocol):
    """The terms by which all matches of a competition are played."""

    @property
    def game(self) -> str: ...
    @property
    def rules_version(self) -> int: ...
    @property
    def options(self) -> Mapping[str, str]: ...
    @property
    def bank_ms(self) -> int: ...
    @property
    def increment_ms(self) -> int: ...


@dataclass(frozen=True)
class ClaimedMatch:
    """The statements of a document about a match.

    `where`: its group, in words.
    `number`: in its job. `job`: None if the document does not say.
    `seed_text`: empty as long as the secret is not revealed.
    `seats`: by seat, the bot's name and the version. `at_fault`: the seats that were;
      None if the document does not say.
    """

    where: str
    number: int
    job: str | None
    digest: str
    seed_text: str
    seats: Sequence[tuple[str, str]]
    at_fault: Sequence[int] | None


def wrong_records(
    terms: PlayedTerms,
    claimed: Mapping[str, ClaimedMatch],
    records: Iterable[str],
    found: Callable[[str, MatchRecord], None],
) -> Iterator[str]:
    """Yields a sentence for each contradiction between records and document.

    `claimed`: by the ids of the matches.
    `found`: is called with the id of each match and its record.
    """
    missing = dict(claimed)
    for text in records:
        try:
            record = read(text)
        except BadRecord as bad:
            yield f"A record cannot be read: {bad}"
            continue
        match = missing.pop(record.match_id, None)
        if match is None:
            yield f"The record of {record.match_id} belongs to no group, or is there twice."
            continue
        yield from (f"{match.where}: {wrong}" for wrong in _wrong(terms, match, record))
        found(record.match_id, record)
    for match_id, match in missing.items():
        yield f"{match.where}: the record of {match_id} is missing."


def _wrong(terms: PlayedTerms, match: ClaimedMatch, record: MatchRecord) -> Iterator[str]:
    verdict = verify_record(record)
    if not verdict.ok:
        yield f"the record of {record.match_id} is not true: {verdict.field}: {verdict.sentence}"
    dealt = record.deal_source.seed_text
    seats = [(seat.bot, seat.version) for seat in record.seats]
    at_fault = sorted({fault.seat for fault in record.faults})
    claims = (
        ("digest", match.digest, record.digest),
        ("game", terms.game, record.game),
        ("rules_version", terms.rules_version, record.rules_version),
        ("options", terms.options, dict(record.options)),
        ("bank_ms", terms.bank_ms, record.clock.bank_ms),
        ("increment_ms", terms.increment_ms, record.clock.increment_ms),
        ("job_id", record.job_id if match.job is None else match.job, record.job_id),
        ("match_number", match.number, record.match_number),
        ("the bots at the seats", [bot for bot, _ in match.seats], [bot for bot, _ in seats]),
        ("the versions at the seats", [own for _, own in match.seats], [own for _, own in seats]),
        ("the seats at fault", at_fault if match.at_fault is None else [*match.at_fault], at_fault),
        ("seed_text", match.seed_text or dealt, dealt),
    )
    for name, right, stated in claims:
        if right != stated:
            yield f"in the record of {record.match_id}, {name} is {stated!r}, not {right!r}"
