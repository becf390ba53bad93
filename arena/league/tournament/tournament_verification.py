"""Recomputes a tournament from its public file: deals, results, pairings, tie-breaks and places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.games import UnknownGame, load
from arena.league.competitions import players_by_seat, seatings_of
from arena.league.deal_secret import round_seed_text
from arena.league.public_lines import BadFile
from arena.protocol import commitment_of, rank_points
from arena.records import BadRecord, read, verify_record
from arena.store.schema import Competition, CompetitionState
from arena.tournament import SAME, place_probabilities, wrong_pairings
from arena.views.tournaments.tournament import PlayedGroup, PlayedTable, Tournament, placed
from sevens.record.v1.match_record_pb2 import MatchRecord


@dataclass(frozen=True)
class Expected:
    """The facts that the record of a match must agree with.

    `where`: the group, in words.
    `versions`: by seat.
    """

    where: str
    group: PlayedGroup
    table: PlayedTable
    number: int
    digest: str
    seed_text: str
    versions: Sequence[str]


def problems_of(document: Tournament, records: Iterable[str]) -> Iterator[str]:
    """Yields a sentence for everything in a tournament's file that does not follow from its
    records and the rules; nothing if all of it does. Raises BadFile."""
    if wrong := list(_wrong_numbers(document)):
        yield from wrong
        return  # nothing else could be said of it
    if document.secret:
        right = commitment_of(bytes.fromhex(document.secret)).hex()
        if right != document.commitment:
            yield "The secret is not the one to which the arena committed."
    course = document.course()
    yield from wrong_pairings(course, is_over=document.state is CompetitionState.OVER)
    if placed(course, document.secret) != document.standings:
        yield "The standings do not follow from the results."
    if place_probabilities(course, document.commitment) != document.places:
        yield "The probabilities of the places do not follow from the results."
    yield from _wrong_records(document, records)


def _wrong_numbers(document: Tournament) -> Iterator[str]:
    numbers = [one.number for one in document.entrants]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "The entrants are not numbered from 1."
    for count, played in enumerate(document.rounds, 1):
        if played.round != count:
            yield f"The rounds are not numbered from 1: {played.round} is in place {count}."
        for place, table in enumerate(played.tables, 1):
            if table.table != place or not set(table.entrants) <= set(numbers):
                yield f"Round {count}: table {table.table} is out of order, or has strangers."
            if any(len(group.points) != len(table.entrants) for group in table.groups):
                yield f"Round {count}, table {table.table}: a group lacks the points of an entrant."


def _wrong_records(document: Tournament, records: Iterable[str]) -> Iterator[str]:
    expected = _expected(document)
    points: dict[int, dict[int, list[float]]] = {}
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
        yield from (f"{match.where}: {wrong}" for wrong in _wrong_record(document, match, record))
        gained = points.setdefault(id(match.group), {})
        for version, own in zip(match.versions, _points(record), strict=False):
            gained.setdefault(_number(document, version), []).append(own)
    for match_id, match in expected.items():
        yield f"{match.where}: the record of {match_id} is missing."
    for played in document.rounds:
        for table in played.tables:
            for group in table.groups:
                yield from _wrong_points(played.round, table, group, points.get(id(group), {}))


def _expected(document: Tournament) -> dict[str, Expected]:
    """Returns what each match must be, by its id."""
    try:
        load(document.game)
    except UnknownGame as unknown:
        raise BadFile(str(unknown.args[0])) from None
    terms = Competition(
        game=document.game,
        seats=document.seats,
        format=document.deals,
        partners=document.partners,
    )
    players, seatings = players_by_seat(terms), seatings_of(terms)
    version = {one.number: one.version for one in document.entrants}
    field = [one.version for one in document.entrants if one.entered_round == 1]
    expected = {}
    for played in document.rounds:
        for table in played.tables:
            for group in table.groups:
                turn = (group.group - 1) % len(table.entrants)
                order = [*table.entrants[turn:], *table.entrants[:turn]]
                entrants = [version[order[player]] for player in players]
                deals = document.secret and round_seed_text(
                    document.secret,
                    field,
                    played.round,
                    group.group,
                    None if document.common_deals else table.table,
                )
                if len(group.matches) != len(seatings):
                    raise BadFile(
                        f"Round {played.round}, table {table.table}: a group has"
                        f" {len(seatings)} matches, not {len(group.matches)}."
                    )
                for number, (match, seating) in enumerate(
                    zip(group.matches, seatings, strict=True), 1
                ):
                    expected[match.match] = Expected(
                        where=f"Round {played.round}, table {table.table}, group {group.group}",
                        group=group,
                        table=table,
                        number=number,
                        digest=match.digest,
                        seed_text=deals,
                        versions=[entrants[place] for place in seating],
                    )
    return expected


def _wrong_record(document: Tournament, match: Expected, record: MatchRecord) -> Iterator[str]:
    verdict = verify_record(record)
    if not verdict.ok:
        yield f"the record of {record.match_id} is not true: {verdict.field}: {verdict.sentence}"
    dealt = record.deal_source.seed_text
    claims = (
        ("digest", match.digest, record.digest),
        ("game", document.game, record.game),
        ("rules_version", document.rules_version, record.rules_version),
        ("options", document.options, dict(record.options)),
        ("job_id", match.group.job, record.job_id),
        ("match_number", match.number, record.match_number),
        ("the versions at the seats", match.versions, [seat.version for seat in record.seats]),
        ("seed_text", match.seed_text or dealt, dealt),
    )
    for name, right, found in claims:
        if right != found:
            yield f"in the record of {record.match_id}, {name} is {found!r}, not {right!r}"


def _wrong_points(
    round_number: int, table: PlayedTable, group: PlayedGroup, gained: dict[int, list[float]]
) -> Iterator[str]:
    for number, stated in zip(table.entrants, group.points, strict=False):
        own = gained.get(number)
        if own is not None and abs(fmean(own) - stated) > SAME:
            yield (
                f"Round {round_number}, table {table.table}, group {group.group}: entrant {number}"
                f" has {fmean(own):g} points by the records, not {stated:g}."
            )


def _points(record: MatchRecord) -> Sequence[float]:
    return rank_points(record.result.ranks, [seat.team for seat in record.seats])


def _number(document: Tournament, version: str) -> int:
    return next(one.number for one in document.entrants if one.version == version)
