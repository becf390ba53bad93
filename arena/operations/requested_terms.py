"""The terms that requests to create competitions have in common."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated

from pydantic import Field, ValidationError

from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.operations.operation import MOST_VALUES, Text
from arena.queue import Clock
from sevens_games.engine import GameOf, OptionValue

BANK_MS, INCREMENT_MS = 60_000, 200
"""The clock of a competition unless its creator says otherwise, in milliseconds."""

Options = Annotated[
    dict[Text, Text],
    Field(max_length=MOST_VALUES, description="Those that differ from the game's defaults."),
]
NO_OPTIONS: Options = {}


def clock_of(bank_ms: int, increment_ms: int) -> Clock:
    """Returns the clock of these times, in milliseconds. Raises ArenaError."""
    try:
        return Clock(bank_ms=bank_ms, increment_ms=increment_ms)
    except ValidationError as error:
        [field, *_] = error.errors()[0]["loc"]
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`{field}` is {error.errors()[0]['input']:,} milliseconds, which is too long. A bank"
            " has at most a day, an increment an hour.",
            str(field),
        ) from None


def moment_of(field: str, text: str) -> datetime | None:
    """Returns the moment of a time as RFC 3339 writes it, with its zone; None for an empty text.
    Raises ArenaError."""
    if not text:
        return None
    moment: datetime | None = None
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
    if moment is None or moment.tzinfo is None:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`{field}` is {text!r}; write a time with its zone, such as 2026-07-07T18:00:00+02:00"
            " or 2026-07-07T16:00:00Z.",
            field,
        )
    return moment


def options_of(game: GameOf, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """Returns the values of options that are given as texts. Raises ArenaError."""
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
