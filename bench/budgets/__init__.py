"""`python -m bench budgets`: how soon three versions of a bot that differ by their search budget
are put in the right order, by way of playing.

It plays groups of each pair, and draws the matches of its comparisons and Swisses from these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time

import numpy as np
from rich.table import Table

from bench.budgets.field import VERSUS, XERI, player
from bench.budgets.pool import Played, Pool, play_pool
from bench.budgets.sequential import EFFECT, RUNS, length
from bench.budgets.swiss import ENTRANTS, right_orders
from bench.budgets.swiss import RUNS as SWISSES
from bench.budgets.way import WAYS
from bench.duplicate.group import play_match
from bench.duplicate.measure_luck import less_luck
from bench.duplicate.page import removed
from bench.duplicate.variance import (
    Share,
    group_variance,
    mean_with_error,
    share_left,
    single_variance,
)
from bench.duplicate.variance import Table as Figures
from bench.interval import with_interval
from bench.luck import RANDOM_PLAYOUTS, luck_of

TIMED = 5
"""So many groups of each pair are played to measure what a match and its luck take."""


def tables() -> Iterator[Table]:
    """Plays the groups, and yields the tables."""
    yield from tables_of(play_pool())


def tables_of(pool: Pool) -> Iterator[Table]:
    """Yields the tables that follow from these groups."""
    yield _lengths(pool)
    yield _swisses(pool)
    yield _luck(pool)


def _lengths(pool: Pool) -> Table:
    table = _table(
        f"Matches until the verdict; {RUNS:,} runs for each row, effect {EFFECT} rank points",
        ("playouts", "difference", "by", "t1", "matches: median", "90 % of runs", "right"),
    )
    for pair in VERSUS:
        groups = pool.of(*pair)
        for way in WAYS:
            found = length(way, groups, f"{pool.seed}/{pair}")
            table.add_row(
                " and ".join(pair),
                _difference(groups),
                str(way),
                f"{found.t1:.2f}",
                f"{found.median:,.0f}",
                f"{found.low:,.0f} to {found.high:,.0f}",
                f"{found.right:.1%}",
            )
    return table


def _swisses(pool: Pool) -> Table:
    by_way = [right_orders(way, pool, pool.seed) for way in WAYS]
    table = _table(
        f"A Swiss of {', '.join(ENTRANTS)}: how often the versions are in the right order; "
        f"{SWISSES} runs",
        ("matches", *map(str, WAYS)),
    )
    for matches in by_way[0]:
        table.add_row(f"{matches:,}", *(f"{shares[matches]:.1%}" for shares in by_way))
    return table


def _luck(pool: Pool) -> Table:
    table = _table(
        "Variance that is removed, and what it takes",
        (
            "playouts",
            "groups",
            "luck alone",
            "duplicate groups",
            "luck beyond them",
            "ms a match",
            "ms its luck",
        ),
    )
    for pair in VERSUS:
        groups = pool.of(*pair)
        points = np.array([group.points for group in groups])
        luck = np.array([group.luck for group in groups])
        mean_points, mean_luck = (each.mean(axis=1, keepdims=True) for each in (points, luck))
        table.add_row(
            " and ".join(pair),
            str(len(groups)),
            removed(_less_luck(points, luck)),
            removed(share_left(points, group_variance)),
            removed(_less_luck(mean_points, mean_luck)),
            *(f"{1000 * seconds:.0f}" for seconds in _timed(pair, pool.seed)),
        )
    return table


def _less_luck(results: Figures, luck: Figures) -> Share | None:
    """Returns the share of the variance that is left when luck is subtracted."""
    return share_left(
        less_luck(results, luck),
        lambda pairs: single_variance(pairs[:, :, 1]),
        lambda pairs: single_variance(pairs[:, :, 0]),
    )


def _timed(pair: tuple[str, str], seed: str) -> tuple[float, float]:
    """Returns the CPU time of a match and of its luck, in seconds."""
    players = tuple(map(player, pair))
    began = process_time()
    matches = [
        play_match(XERI, seating, f"{seed}/{group}", players)[1]
        for group in range(TIMED)
        for seating in XERI.full_group()
    ]
    middle = process_time()
    for played in matches:
        luck_of(played, RANDOM_PLAYOUTS)
    return (middle - began) / len(matches), (process_time() - middle) / len(matches)


def _difference(groups: Sequence[Played]) -> str:
    return with_interval(*mean_with_error(np.array([group.points for group in groups])))


def _table(title: str, columns: Sequence[str]) -> Table:
    table = Table(title=title)
    for column in columns:
        table.add_column(column, justify="left" if column in ("playouts", "by") else "right")
    return table
