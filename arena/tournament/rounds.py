"""The format and the number of rounds of a field, and the tables of its round robin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest
from math import ceil, log

from arena.tournament.round_robin import round_robin, rounds_of_all, with_equal_byes
from arena.tournament.tournament_terms import TournamentTerms

LONGEST_AUTO = 12
"""`auto` without a number of rounds plays a round robin of up to this many."""
EXTRA_ROUNDS = 2
"""A Swiss has so many rounds more than it takes to leave one entrant unbeaten."""


def format_to_play(terms: TournamentTerms, count: int) -> str:
    """Returns the format for a field: `auto` is a round robin if the rounds suffice for one, or if
    that takes no more than LONGEST_AUTO; else a Swiss."""
    if terms.format != "auto":
        return terms.format
    enough = rounds_of_all(count, terms.per_table) <= (terms.rounds or LONGEST_AUTO)
    return "round-robin" if enough else "swiss"


def rounds_to_play(terms: TournamentTerms, count: int) -> int:
    """Returns the number of rounds of a round robin or a Swiss."""
    everybody = rounds_of_all(count, terms.per_table)
    rounds = everybody
    if format_to_play(terms, count) == "swiss":
        rounds = min(everybody, ceil(log(max(count, 2), terms.per_table)) + EXTRA_ROUNDS)
        if terms.per_table == 2:
            return terms.rounds or rounds
    return terms.rounds or with_equal_byes(count, terms.per_table, rounds, LONGEST_AUTO)


def pools_of(terms: TournamentTerms, field: Sequence[int]) -> list[tuple[int, ...]]:
    """Returns the pools of a field, with the seeds dealt out to and fro; without pools, one of
    all."""
    return serpentine(field, ceil(len(field) / terms.pool_size) if terms.pool_size else 1)


def serpentine(numbers: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Returns so many tables with the seeds dealt out to and fro: 1 2 3, then 6 5 4, then 7 8 9."""
    tables: list[list[int]] = [[] for _ in range(count)]
    for at, one in enumerate(numbers):
        turn, place = divmod(at, count)
        tables[place if turn % 2 == 0 else count - 1 - place].append(one)
    return [tuple(table) for table in tables]


def scheduled_tables(terms: TournamentTerms, field: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """Returns the tables of each round of a round robin, or of those of all pools. `field`: the
    numbers of its entrants."""
    schedules = [_schedule(terms, pool) for pool in pools_of(terms, field)]
    return [[*chain(*tables)] for tables in zip_longest(*schedules, fillvalue=[])]


def _schedule(terms: TournamentTerms, field: Sequence[int]) -> list[list[tuple[int, ...]]]:
    schedule = round_robin(len(field), terms.per_table, rounds_to_play(terms, len(field)))
    return [[tuple(field[place] for place in table) for table in tables] for tables in schedule]
