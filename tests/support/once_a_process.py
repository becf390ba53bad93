"""What a process of tests does once, although every test has an arena of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa

from arena import ratings
from sevens_games.engine import GameOf, OptionValue


def share_compiled_statements() -> None:
    """Lets all connections to SQLite share a dialect and a cache: SQLAlchemy would compile each
    statement again for each store, which takes longer than to execute it."""
    first = sa.create_engine("sqlite://")
    first.connect().close()  # the dialect learns what its driver can do
    first.dispose()
    compiled: dict[Any, Any] = {}

    @sa.event.listens_for(sa.Engine, "engine_connect")
    def share(connection: sa.Connection) -> None:
        if connection.dialect.name == first.dialect.name:
            connection.dialect = first.dialect
            connection.execution_options(compiled_cache=compiled)


def remember_draw_probabilities() -> None:
    """Estimates the draws of ladders in one format once: it takes up to two seconds. To be called
    before the league is imported; tests of the estimate itself call its module."""
    estimate = ratings.estimate_draw_probability

    @cache
    def remembered(game: GameOf, options: frozenset[Any], *which: Any) -> float:
        return estimate(game, dict(options), *which)

    def asked(
        game: GameOf,
        options: Mapping[str, OptionValue],
        players: Sequence[int],
        seatings: Sequence[Sequence[int]],
    ) -> float:
        which = (tuple(players), tuple(map(tuple, seatings)))
        return remembered(game, frozenset(options.items()), *which)

    ratings.estimate_draw_probability = asked
