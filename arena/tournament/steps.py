"""The next step of a tournament: groups to play, a round to pair, or the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from arena.tournament.course import TournamentCourse
from arena.tournament.elimination import is_tied, knockout_of
from arena.tournament.meeting import Meeting, Pairing, meetings_of
from arena.tournament.pairing import pair
from arena.tournament.round_robin import balance_of, round_robin
from arena.tournament.rounds import (
    format_to_play,
    pools_of,
    rounds_to_play,
    scheduled_tables,
)
from arena.tournament.tournament_terms import Entrant, NoDutchLibrary, TournamentTerms


@dataclass(frozen=True)
class Play:
    """The current round is not over. `due`: (meeting, number of a group that it has yet to
    finish)."""

    due: Sequence[tuple[Meeting, int]]


@dataclass(frozen=True)
class Pair:
    """The round of this number is to be paired."""

    round: int


@dataclass(frozen=True)
class Over:
    """Everything has been played."""


def next_step(course: TournamentCourse) -> Play | Pair | Over:
    """Returns what comes next."""
    if course.rounds:
        due = [
            (meeting, number)
            for meeting in course.rounds[-1].meetings
            for number in range(len(course.scores_at(meeting)) + 1, needed(course, meeting) + 1)
        ]
        if due:
            return Play(due)
    following = len(course.rounds) + 1
    if course.terms.is_elimination and following > course.pool_rounds:
        return Over() if knockout_of(course).pair(following) is None else Pair(following)
    if not course.pool_rounds and following > rounds_to_play(course.terms, len(course.first_field)):
        return Over()
    playing = [one for one in course.entrants if one.plays_in(following)]
    return Pair(following) if fills_a_table(playing, course.terms.per_table) else Over()


def fills_a_table(entrants: Sequence[Entrant], per_table: int) -> bool:
    """Returns whether these can meet at one table, where each owner has one entrant."""
    owners = {one.owner for one in entrants if one.owner is not None}
    return len(owners) + sum(one.owner is None for one in entrants) >= per_table


def needed(course: TournamentCourse, meeting: Meeting) -> int:
    """Returns how many groups a table must have finished; one more as long as an elimination is
    tied there. An entrant left alone has nothing more to play."""
    if len(meeting.entrants) - len(course.left(meeting)) < 2:
        return 0
    terms, played = course.terms, len(course.scores_at(meeting))
    is_knockout = terms.is_elimination and meeting.round > course.pool_rounds
    if is_knockout and terms.groups <= played < terms.most_groups:
        return played + is_tied(course, meeting)
    return terms.groups


def needs_more(course: TournamentCourse, meeting: Meeting) -> bool:
    """Returns whether a table has groups to finish."""
    return len(course.scores_at(meeting)) < needed(course, meeting)


def pair_round(course: TournamentCourse, number: int) -> Pairing:
    """Returns the pairing of the round that `next_step` named. With 250 entrants and tables of two
    a Swiss takes several seconds. Raises TournamentError if it cannot be paired."""
    if course.terms.is_elimination and number > course.pool_rounds:
        pairing = knockout_of(course).pair(number)
        assert pairing is not None  # `next_step` looked
        return pairing
    format = format_to_play(course.terms, len(course.first_field))
    if format == "swiss":
        return _swiss_round(course, number)
    return _scheduled(course, number)


def check_libraries(terms: TournamentTerms) -> None:
    """Raises NoDutchLibrary if a round could not be paired here for want of a library."""
    if terms.pairing == "dutch":
        _dutch_system()


def _swiss_round(course: TournamentCourse, number: int) -> Pairing:
    """Returns a round of a Swiss: by the published cost also where the Dutch system has none."""
    if course.terms.pairing == "cost":
        return pair(number, course.contenders(number), course.terms.per_table)
    rounds = rounds_to_play(course.terms, len(course.first_field))
    if by_dutch := _dutch_system()(course, number, rounds):
        return by_dutch
    by_cost = pair(number, course.contenders(number), course.terms.per_table)
    return replace(by_cost, method=f"{by_cost.method}; the Dutch system has no pairing left")


def _dutch_system() -> Callable[[TournamentCourse, int, int], Pairing | None]:
    try:
        from arena.tournament.dutch import pair_dutch
    except ModuleNotFoundError:
        raise NoDutchLibrary(
            "`pairing` is dutch, which needs a library: pip install 'sevens-arena[dutch]'.",
            "pairing",
        ) from None
    return pair_dutch


def _scheduled(course: TournamentCourse, number: int) -> Pairing:
    """Returns a round of a round robin, or of those of the pools that still play. Nobody plays at a
    table that an entrant has left: the others have a bye."""
    terms, first = course.terms, course.first_field
    tables = scheduled_tables(terms, first)[number - 1]
    pools = pools_of(terms, first)
    in_play = {one for pool in pools if number <= rounds_to_play(terms, len(pool)) for one in pool}
    playing = {one.number for one in course.entrants if one.plays_in(number)} & in_play
    full = [table for table in tables if set(table) <= playing]
    seated = {one for table in full for one in table}
    byes = tuple(sorted(playing - seated))
    return Pairing(number, meetings_of(number, full), byes, method=_method(terms, pools))


def _method(terms: TournamentTerms, pools: Sequence[Sequence[int]]) -> str:
    if terms.pool_size:
        return f"round robins in {len(pools)} pools"
    [field] = pools
    schedule = round_robin(len(field), terms.per_table, rounds_to_play(terms, len(field)))
    return f"round robin in which {balance_of(schedule, len(field))}"
