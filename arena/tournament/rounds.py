"""The format and the number of rounds of a field, and the tables of its round robin."""

from __future__ import annotations

from collections.abc import Sequence
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


def scheduled_tables(terms: TournamentTerms, field: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """Returns the tables of each round of a round robin. `field`: the numbers of its entrants."""
    schedule = round_robin(len(field), terms.per_table, rounds_to_play(terms, len(field)))
    return [[tuple(field[place] for place in table) for table in tables] for tables in schedule]
