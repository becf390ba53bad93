"""The terms that requests to create competitions have in common. Each raises ArenaError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from arena.errors import ArenaError, Kind
from arena.games.engine import GameOf, OptionValue
from arena.nearest import no_such
from arena.queue import Clock


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
        raise ArenaError(Kind.WRONG_INPUT, f"{sentence} {limits}", str(field)) from None


def options_of(game: GameOf, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """Returns the values of options that are given as texts."""
    options: dict[str, OptionValue] = {}
    for name, text in given.items():
        if name not in game.options:
            raise ArenaError(
                Kind.WRONG_INPUT,
                no_such("option", name, game.options, f"of {game.title}"),
                "options",
            )
        try:
            options[name] = game.options[name].parse(text)
        except ValueError as error:
            raise ArenaError(Kind.WRONG_INPUT, str(error), "options") from None
    return options
