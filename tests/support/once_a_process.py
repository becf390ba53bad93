"""What a process of tests does once, although every test has an arena of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa

from arena import ratings
from sevens_games.engine import GameOf, OptionValue


class CompiledStatements(dict[Any, Any]):
    """Compiled statements, by all of SQLAlchemy's key but its dialect: each engine has another."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(key[1:], default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key[1:], value)


def share_compiled_statements() -> None:
    """Lets all connections to SQLite share a cache: SQLAlchemy would compile each statement again
    for each store, which takes longer than to execute it."""
    compiled = CompiledStatements()

    @sa.event.listens_for(sa.Engine, "engine_connect")
    def share(connection: sa.Connection) -> None:
        if connection.dialect.name == "sqlite":
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
