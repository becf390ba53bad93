"""The known games: all modules of this package except the driver and the helpers, and the games
that other distributions add through the entry point group `arena.games`."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from sevens_games.engine import Game, no_such

NOT_GAMES = {"engine", "cards", "registry", "search", "serve"}
ENTRY_POINT_GROUP = "arena.games"


class UnknownGame(KeyError):
    """No game has that name. The text names those that resemble it, or else all."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def own_slugs() -> frozenset[str]:
    """The slugs of this package's own games, which no other distribution can replace."""
    modules = pkgutil.iter_modules([str(Path(__file__).parent)])
    return frozenset(m.name.replace("_", "-") for m in modules if m.name not in NOT_GAMES)


@cache
def slugs() -> tuple[str, ...]:
    """The slugs of all games, in alphabetical order."""
    brought = {point.name for point in entry_points(group=ENTRY_POINT_GROUP)}
    return tuple(sorted(own_slugs() | brought))


@cache
def load(slug: str) -> Game[Any]:
    """The game of that slug. Raises UnknownGame if there is none."""
    if slug not in slugs():
        raise UnknownGame(no_such("game", slug, slugs()))
    game: Game[Any]
    if slug in own_slugs():
        game = import_module(f"sevens_games.{slug.replace('-', '_')}").GAME
    else:
        game = next(iter(entry_points(group=ENTRY_POINT_GROUP, name=slug))).load()
    return game
