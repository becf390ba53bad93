"""Recomputes a comparison from its public file: deals, results, differences and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from arena.league.comparison.certificate_check import BadCertificate, read_certificate, recompute
from arena.league.deal_secret import seed_text
from arena.league.public_lines import bad_file, read_lines, write_lines
from arena.league.record_claims import ClaimedMatch, wrong_records
from arena.match import Seating
from arena.statistics import SeatResult, group_difference
from arena.views.comparisons.certificate import Certificate
from arena.views.comparisons.plan import side_of
from sevens.record.v1.match_record_pb2 import MatchRecord


def write_file(path: Path, certificate: Certificate, records: Iterable[str]) -> int:
    """Writes a certificate and the texts of its records. Returns the number of records. Raises
    ArenaError."""
    return write_lines(path, certificate.to_json(), records)


def read_file(path: Path) -> tuple[Certificate, Iterator[str]]:
    """Returns the certificate, and the records' texts one after the other. Raises
    ArenaError."""
    first, records = read_lines(path)
    try:
        return read_certificate(first), records
    except BadCertificate as bad:
        raise bad_file(f"{path} is no comparison: {bad}") from None


def problems_of(certificate: Certificate, records: Iterable[str]) -> Iterator[str]:
    """Yields a sentence for everything in a comparison's file that does not follow from its plan
    and its records; nothing if all of it does."""
    if wrong := recompute(certificate):
        yield from wrong
        return  # the groups may not even have the matches of the plan
    plan = certificate.plan
    claimed, place_of = _claimed(certificate)
    if len(claimed) < len(certificate.groups) * len(plan.seatings):
        yield "A match is counted in two groups, or twice in one."
    results: dict[int, dict[int, Sequence[SeatResult]]] = {}

    def count(match_id: str, record: MatchRecord) -> None:
        group, place = place_of[match_id]
        seats = _seat_results(plan.group_seatings[place], record)
        results.setdefault(group, {})[place] = seats

    yield from wrong_records(plan, claimed, records, count)
    yield from _wrong_differences(certificate, results)


def _claimed(
    certificate: Certificate,
) -> tuple[dict[str, ClaimedMatch], dict[str, tuple[int, int]]]:
    """Returns what each match must be, and its group with its index there, by its id."""
    plan = certificate.plan
    numbers = [number for half in plan.halves() for number, _ in enumerate(half, 1)]
    claimed, place_of = {}, {}
    for group, played in enumerate(certificate.groups, 1):
        for place, match in enumerate(played.matches):
            seats = [plan.participant(one) for one in plan.group_seatings[place]]
            place_of[match.match] = group, place
            claimed[match.match] = ClaimedMatch(
                where=f"Group {group}",
                number=numbers[place],
                job=None,
                digest=match.digest,
                seed_text=seed_text(certificate.secret, certificate.plan_digest, f"group {group}"),
                seats=[(one.bot, one.version) for one in seats],
                at_fault=match.at_fault,
            )
    return claimed, place_of


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
            for seats, seating in zip(played.values(), plan.group_seatings, strict=True)
        )
        if not complete:
            continue  # said already
        found = group_difference([seats for _, seats in sorted(played.items())], plan.scale)
        if found != group.difference:
            yield (
                f"Group {number}: the difference is {found:g} by the records, not"
                f" {group.difference:g}."
            )
