"""Recomputes a comparison from its public file: deals, results, differences and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.league.comparison.certificate_check import BadCertificate, read_certificate, recompute
from arena.league.deal_secret import seed_text
from arena.league.public_lines import BadFile, read_lines, write_lines
from arena.match import Seating
from arena.records import BadRecord, read, verify_record
from arena.statistics import SeatResult, group_difference
from arena.views.comparisons.certificate import Certificate
from arena.views.comparisons.plan import ComparisonPlan, side_of
from sevens.record.v1.match_record_pb2 import MatchRecord

SAME = 1e-9
"""Differences that are closer than this are equal."""


@dataclass(frozen=True)
class Expected:
    """The group, place and number that the record of a match must have.

    `group`: its number. `place`: its index among the group's matches. `match_number`: in its job.
    """

    group: int
    place: int
    match_number: int
    digest: str
    seed_text: str
    seating: Seating


def write_file(path: Path, certificate: Certificate, records: Iterable[str]) -> int:
    """Writes a certificate and the texts of its records. Returns the number of records. Raises
    OSError."""
    return write_lines(path, certificate.to_json(), records)


def read_file(path: Path) -> tuple[Certificate, Iterator[str]]:
    """Returns the certificate, and the records' texts one after the other. Raises BadFile and
    OSError."""
    first, records = read_lines(path)
    try:
        return read_certificate(first), records
    except BadCertificate as bad:
        raise BadFile(f"{path} is no comparison: {bad}") from None


def problems_of(certificate: Certificate, records: Iterable[str]) -> Iterator[str]:
    """Yields a sentence for everything in a comparison's file that does not follow from its plan
    and its records; nothing if all of it does."""
    if wrong := recompute(certificate):
        yield from wrong
        return  # the groups may not even have the matches of the plan
    expected = _expected(certificate)
    results: dict[int, dict[int, Sequence[SeatResult]]] = {}
    for text in records:
        try:
            record = read(text)
        except BadRecord as bad:
            yield f"A record cannot be read: {bad}"
            continue
        match = expected.pop(record.match_id, None)
        if match is None:
            yield f"The record of {record.match_id} belongs to no group, or is there twice."
            continue
        yield from (
            f"Group {match.group}: {wrong}"
            for wrong in _wrong_record(certificate.plan, match, record)
        )
        results.setdefault(match.group, {})[match.place] = _seat_results(match.seating, record)
    for match_id, match in expected.items():
        yield f"Group {match.group}: the record of {match_id} is missing."
    yield from _wrong_differences(certificate, results)


def _expected(certificate: Certificate) -> dict[str, Expected]:
    """Returns what each match must be, by its id."""
    plan = certificate.plan
    places = [(number, seating) for half in plan.halves() for number, seating in enumerate(half, 1)]
    return {
        played.match: Expected(
            group=group,
            place=place,
            match_number=number,
            digest=played.digest,
            seed_text=seed_text(certificate.secret, certificate.plan_digest, f"group {group}"),
            seating=seating,
        )
        for group, played_group in enumerate(certificate.groups, 1)
        for place, (played, (number, seating)) in enumerate(
            zip(played_group.matches, places, strict=True)
        )
    }


def _wrong_record(plan: ComparisonPlan, match: Expected, record: MatchRecord) -> Iterator[str]:
    verdict = verify_record(record)
    if not verdict.ok:
        yield f"the record of {record.match_id} is not true: {verdict.field}: {verdict.sentence}"
    versions = [plan.participant(participant).version for participant in match.seating]
    claims = (
        ("digest", match.digest, record.digest),
        ("game", plan.game, record.game),
        ("rules_version", plan.rules_version, record.rules_version),
        ("options", plan.options, dict(record.options)),
        ("match_number", match.match_number, record.match_number),
        ("the versions at the seats", versions, [seat.version for seat in record.seats]),
        ("seed_text", match.seed_text, record.deal_source.seed_text),
    )
    for name, right, found in claims:
        if right != found:
            yield f"in the record of {record.match_id}, {name} is {found!r}, not {right!r}"


def _seat_results(seating: Seating, record: MatchRecord) -> list[SeatResult]:
    return [
        SeatResult(side_of(participant), seat.team, rank, score)
        for participant, seat, rank, score in zip(
            seating, record.seats, record.result.ranks, record.result.scores, strict=False
        )
    ]


def _wrong_differences(
    certificate: Certificate, results: Mapping[int, Mapping[int, Sequence[SeatResult]]]
) -> Iterator[str]:
    """Compares the stated differences of the groups whose records are all there."""
    plan = certificate.plan
    for number, group in enumerate(certificate.groups, 1):
        played = results.get(number, {})
        complete = len(played) == len(plan.seatings) and all(
            len(seats) == len(seating)
            for seats, seating in zip(played.values(), plan.seatings, strict=True)
        )
        if not complete:
            continue  # said already
        found = group_difference(list(played.values()), plan.scale)
        if abs(found - group.difference) > SAME:
            yield (
                f"Group {number}: the difference is {found:g} by the records, not"
                f" {group.difference:g}."
            )
