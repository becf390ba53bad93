"""Recomputes a tournament from its public file: plan, events, deals, results, pairings, tie-breaks
and places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from arena.league.competitions import players_by_seat, seatings_of
from arena.league.deal_secret import drawn_digest, lot_text, round_seed_text, seed_lot
from arena.league.public_lines import bad_file
from arena.league.record_claims import ClaimedMatch, wrong_records
from arena.league.tournament.group_result import DIGITS
from arena.match import Seating
from arena.moment import minute
from arena.protocol import commitment_of, rank_points
from arena.store.queries import ENDED
from arena.store.schema import Competition, CompetitionState, TournamentEventKind
from arena.tournament import format_to_play, place_probabilities, wrong_pairings
from arena.views.tournaments.event import PlannedEntrant, TournamentEvent, chain
from arena.views.tournaments.tournament import (
    CheckedTournament,
    EnteredVersion,
    PlayedGroup,
    PlayedTable,
    Tournament,
    placed,
    placed_in_pools,
)
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import UnknownGame, load

State, Kind = CompetitionState, TournamentEventKind
STATE_AFTER = {
    Kind.STARTED: State.RUNNING,
    Kind.RESUMED: State.RUNNING,
    Kind.PAUSED: State.PAUSED,
    Kind.STOPPED: State.PAUSED,
    Kind.OVER: State.OVER,
    Kind.CANCELLED: State.CANCELLED,
}

SAME_CHANCE = 0.005
Chances = Mapping[int, Mapping[int, float]] | None


def check(document: Tournament, records: Iterable[str], published: str = "") -> CheckedTournament:
    """Recomputes a tournament. `published`: the last digest of its chain, as the arena published
    it; empty if it is not known. Raises ArenaError."""
    problems = list(_problems(document, records))
    if published and published != document.chain:
        problems.append(
            f"The chain ends with {document.chain or 'nothing'}, not with {published}, which was"
            " published: the plan or an event is another one, or is missing."
        )
    return CheckedTournament(
        tournament=document.tournament,
        problems=tuple(problems),
        asserted=tuple(_asserted(document, published)),
        chain=document.chain,
    )


def _problems(document: Tournament, records: Iterable[str]) -> Iterator[str]:
    """Yields a sentence for everything that contradicts the records, the plan or the rules."""
    if wrong := list(_wrong_numbers(document)):
        yield from wrong
        return  # nothing else could be said of it
    yield from _wrong_plan(document)
    yield from _wrong_events(document)
    yield from _wrong_draw(document)
    course = document.course()
    first = len(course.first_field)
    plays = format_to_play(document.terms, first) if document.rounds else document.terms.format
    if document.plays != plays:
        yield f"`plays` is {document.plays}, but follows as {plays}."
    yield from wrong_pairings(course, is_over=document.state is State.OVER)
    lots = lot_text(document.secret, _drawn(document))
    if placed(course, document.rounds, lots) != document.standings:
        yield "The standings do not follow from the results."
    if placed_in_pools(course, document.rounds) != document.pools:
        yield "The standings of the pools do not follow from the results."
    if not _nearly_equal(place_probabilities(course, document.commitment), document.places):
        yield "The chances of the places do not follow from the results."
    yield from _wrong_results(document, records)


def _nearly_equal(some: Chances, others: Chances) -> bool:
    """Returns whether chances are equal but for what the last digits of other machines change."""
    if some is None or others is None or some.keys() != others.keys():
        return some is others
    return all(
        abs(some[one].get(place, 0) - others[one].get(place, 0)) <= SAME_CHANCE
        for one in some
        for place in {*some[one], *others[one]}
    )


def _asserted(document: Tournament, published: str) -> Iterator[str]:
    """Yields a sentence for everything that was not checked, or is true only if the chain is the
    one that was published."""
    if document.events and not published:
        changes = sum(event.kind in (Kind.ENTERED, Kind.WITHDRAWN) for event in document.events)
        yield (
            "Late entries, withdrawals and pauses, with their times and reasons, are as the file"
            f" states them ({changes} entries and withdrawals)."
        )
    if voided := sum(event.kind is Kind.VOIDED for event in document.events):
        yield (
            f"The results of {voided} groups that were played again are not in the file; its events"
            " have the reasons."
        )
    if document.beacon_value:
        yield (
            f"The value of its beacon, {document.terms.beacon}, is {document.beacon_value}: look it"
            " up there, and that nobody could know it when the field was closed"
            f" ({minute(document.events[0].at)})."
        )
    if document.terms.seed_from and document.plan_digest:
        yield (
            f"The seeds are in the order of the ladder {document.terms.seed_from} at the start, as"
            " the plan states them: the ladder is not in the file."
        )
    if not document.secret:
        yield "Its secret is not revealed yet, so neither its plan nor its deals were checked."
    if document.state is not State.OVER:
        yield f"It is {document.state}, so matches that were not played are missing."


def _wrong_numbers(document: Tournament) -> Iterator[str]:
    numbers = [one.number for one in document.entrants]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "The entrants are not numbered from 1."
    for count, played in enumerate(document.rounds, 1):
        if played.round != count:
            yield f"The rounds are not numbered from 1: {played.round} is in place {count}."
        if not {*played.byes} <= {*numbers}:
            yield f"Round {count}: its byes have strangers."
        for place, table in enumerate(played.tables, 1):
            if table.table != place or not set(table.entrants) <= set(numbers):
                yield f"Round {count}: table {table.table} is out of order, or has strangers."
            sizes = {
                len(values) for group in table.groups for values in (group.points, group.faults)
            }
            if not sizes <= {len(table.entrants)}:
                yield (
                    f"Round {count}, table {table.table}: a group lacks the points or faults of an"
                    " entrant."
                )
            if [group.group for group in table.groups] != list(range(1, len(table.groups) + 1)):
                yield f"Round {count}, table {table.table}: its groups are not numbered from 1."


def _wrong_plan(document: Tournament) -> Iterator[str]:
    """The deals of the records follow from the plan's digest, so that no other plan fits them."""
    if document.state in ENDED and not document.secret:
        yield "It has ended, but its secret is missing."
    revealed = document.secret and commitment_of(bytes.fromhex(document.secret)).hex()
    if revealed not in ("", document.commitment):
        yield "The secret is not the one to which the arena committed."
    has_started = bool(document.events or document.rounds)
    if document.plan_digest != (document.plan().digest if has_started else ""):
        yield "`plan_digest` is not the digest of the plan that the file states."
    if chain(document.plan_digest, document.events) != document.chain:
        yield "`chain` does not follow from the plan and the events."


def _wrong_events(document: Tournament) -> Iterator[str]:
    """Compares state, rounds and entrants with the events that brought them about."""
    events = document.events
    if events and events[0].kind is not Kind.STARTED:
        yield "The first event is not the start."
    for before, event in pairwise(events):
        if event.kind is Kind.STARTED or before.kind in (Kind.OVER, Kind.CANCELLED):
            yield f"The event `{event.kind}` of {event.at} comes too late."
    changes = [event for event in events if event.kind in STATE_AFTER]
    state, problem = State.OPEN, ""
    if changes:
        state = STATE_AFTER[changes[-1].kind]
        problem = changes[-1].sentence if changes[-1].kind is Kind.STOPPED else ""
    if (document.state, document.problem) != (state, problem) and (events or document.rounds):
        yield f"It is {document.state} ({document.problem}), but by its events {state} ({problem})."
    paired = [event.round for event in events if event.kind is Kind.PAIRED]
    if paired != [played.round for played in document.rounds]:
        yield f"By its events the rounds {paired} were paired."
    if strangers := {one.entrant.number for one in events if one.entrant} - document.bots.keys():
        yield f"Events are about the entrants {sorted(strangers)}, who are not in the field."
    for one in document.entrants:
        yield from _wrong_entrant(one, [event for event in events if _is_about(event, one)])


def _wrong_draw(document: Tournament) -> Iterator[str]:
    """Checks that the field was closed before the value of its beacon was drawn, and seeds by
    lot."""
    kinds = [event.kind for event in document.events]
    if document.terms.beacon and kinds[2:3] not in ([], [Kind.DRAWN], [Kind.CANCELLED]):
        yield f"The event `{kinds[2]}` came before the value of the beacon was drawn."
    if kinds.count(Kind.DRAWN) != (Kind.DRAWN in kinds[2:3] and document.terms.beacon != ""):
        yield "The value of a beacon was drawn without one, a second time, or at another time."
    lots = lot_text(document.secret, _drawn(document))
    is_drawn = document.beacon_value or not document.terms.beacon
    if document.terms.seed_by_lot and lots and is_drawn:
        late, gone = document.numbers(Kind.ENTERED), document.left_before
        field = [one for one in document.entrants if one.number not in late]
        if field != sorted(
            field, key=lambda one: (one.number in gone, seed_lot(lots, one.version))
        ):
            yield "The seeds do not follow from the lots."


def _is_about(event: TournamentEvent, one: EnteredVersion) -> bool:
    return event.entrant is not None and event.entrant.number == one.number


def _wrong_entrant(one: EnteredVersion, events: Sequence[TournamentEvent]) -> Iterator[str]:
    stated = {name: getattr(one, name) for name in PlannedEntrant.model_fields}
    for event in events:
        if event.entrant and any(getattr(event.entrant, name) != stated[name] for name in stated):
            yield f"The event `{event.kind}` of {event.at} describes another bot than {one.bot}."
    entered = [event.round for event in events if event.kind is Kind.ENTERED]
    if one.entered_round != (entered or [1])[0] or len(entered) > 1:
        yield f"{one.bot} enters in round {one.entered_round}, by the events in {entered or [1]}."
    left = [(event.round, event.sentence) for event in events if event.kind is Kind.WITHDRAWN]
    if left and left != [(one.withdrawn_round, one.reason)]:
        yield f"{one.bot} leaves in round {one.withdrawn_round}, by the events in {left}."
    if not left and one.withdrawn_round not in (None, 1):
        yield f"{one.bot} leaves in round {one.withdrawn_round}, but no event says so."
    if (one.withdrawn_round is None) != (one.reason == ""):
        yield f"{one.bot} has a reason for leaving, or none, without leaving, or not."


@dataclass(frozen=True)
class _GroupPoints:
    """A group, and the points and faults of its versions by the records read so far."""

    where: str
    table: PlayedTable
    group: PlayedGroup
    gained: dict[str, list[float]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)


def _wrong_results(document: Tournament, records: Iterable[str]) -> Iterator[str]:
    claimed: dict[str, ClaimedMatch] = {}
    groups: list[_GroupPoints] = []
    group_of: dict[str, _GroupPoints] = {}
    for one, matches in _groups(document):
        if twice := claimed.keys() & matches.keys():
            yield f"{one.where}: the match {min(twice)} is counted a second time."
        groups.append(one)
        claimed |= matches
        group_of |= dict.fromkeys(matches, one)

    def count(match_id: str, record: MatchRecord) -> None:
        gained = rank_points(record.result.ranks, [seat.team for seat in record.seats])
        for seat, points in zip(record.seats, gained, strict=False):
            group_of[match_id].gained.setdefault(seat.version, []).append(points)
        at_fault = {fault.seat for fault in record.faults}
        group_of[match_id].faults.update(record.seats[seat].version for seat in at_fault)

    yield from wrong_records(document, claimed, records, count)
    version = {one.number: one.version for one in document.entrants}
    for one in groups:
        for number, stated in zip(one.table.entrants, one.group.points, strict=True):
            own = one.gained.get(version[number])
            if own is not None and round(fmean(own), DIGITS) != stated:
                yield (
                    f"{one.where}: entrant {number} has {fmean(own):g} points by the records,"
                    f" not {stated:g}."
                )
        faults = tuple(one.faults[version[number]] for number in one.table.entrants)
        if faults != one.group.faults:
            yield f"{one.where}: the seats at fault are {faults} by the records."


def _groups(document: Tournament) -> Iterator[tuple[_GroupPoints, dict[str, ClaimedMatch]]]:
    """Yields each group with what its matches must be, by their ids. Raises ArenaError."""
    players, seatings = _seatings(document)
    for played in document.rounds:
        for table in played.tables:
            for group in table.groups:
                where = f"Round {played.round}, table {table.table}, group {group.group}"
                if len(group.matches) != len(seatings):
                    raise bad_file(
                        f"{where}: it has {len(seatings)} matches, not {len(group.matches)}."
                    )
                turn = (group.group - 1) % len(table.entrants)
                order = [*table.entrants[turn:], *table.entrants[:turn]]
                bots = [document.entrants[order[player] - 1] for player in players]
                yield (
                    _GroupPoints(where, table, group),
                    {
                        match.match: ClaimedMatch(
                            where=where,
                            number=number,
                            job=group.job,
                            digest=match.digest,
                            seed_text=_deals(document, played.round, table.table, group.group),
                            seats=[(bots[at].bot, bots[at].version) for at in seating],
                            at_fault=None,
                        )
                        for number, (match, seating) in enumerate(
                            zip(group.matches, seatings, strict=True), 1
                        )
                    },
                )


def _seatings(document: Tournament) -> tuple[Sequence[int], Sequence[Seating]]:
    """Returns the entrant of the table at each seat of a first match, and the seatings of a group.
    Raises ArenaError."""
    try:
        load(document.game)
    except UnknownGame as unknown:
        raise bad_file(str(unknown.args[0])) from None
    terms = Competition(
        game=document.game,
        seats=document.seats,
        format=document.deals,
        partners=document.partners,
    )
    return players_by_seat(terms), seatings_of(terms)


def _deals(document: Tournament, round_number: int, table: int, group: int) -> str:
    """Returns the seed text of a group's deals; empty as long as the secret is not revealed."""
    if not document.secret:
        return ""
    shared_by = None if document.common_deals else table
    return round_seed_text(document.secret, _drawn(document), round_number, group, shared_by)


def _drawn(document: Tournament) -> str:
    return drawn_digest(document.plan_digest, document.beacon_value)
