"""The terms that requests to create competitions have in common. Each raises Refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from arena.games import UnknownGame, load
from arena.games.engine import GameOf, OptionValue
from arena.nearest import no_such
from arena.queue import Clock
from arena.server.errors import invalid


def game_named(slug: str) -> GameOf:
    """Returns the game of a slug."""
    try:
        return load(slug)
    except UnknownGame as error:
        raise invalid(str(error.args[0]), "game") from None


def clock_of(request: Any) -> Clock:
    """Returns the clock of a request with the optional fields `bank_ms` and `increment_ms`."""
    given = {
        name: getattr(request, name)
        for name in ("bank_ms", "increment_ms")
        if request.HasField(name)
    }
    try:
        return Clock(**given)
    except ValidationError as error:
        [field, *_] = error.errors()[0]["loc"]
        sentence = f"`{field}` is {given[str(field)]:,} milliseconds, which is too long."
        limits = "A bank has at most a day, an increment an hour."
        raise invalid(f"{sentence} {limits}", str(field)) from None


def options_of(game: GameOf, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """Returns the values of options that are given as texts."""
    options: dict[str, OptionValue] = {}
    for name, text in given.items():
        if name not in game.options:
            raise invalid(no_such("option", name, game.options, f"of {game.title}"), "options")
        try:
            options[name] = game.options[name].parse(text)
        except ValueError as error:
            raise invalid(str(error), "options") from None
    return options
