"""What a match is played under: the game, the clock, who sits where, and the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.bots import RunningBot
from arena.games import Game
from arena.games.engine.options import OptionValue

START_GRACE_S = 20.0


@dataclass(frozen=True, slots=True)
class Entry:
    """Who sits at a seat.

    `name` and `version` (content digest; empty for built-in bots) go into the record; `entrant` is
    the seat's place in the job's order of entrants.
    """

    bot: RunningBot
    name: str
    version: str
    entrant: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """One match. `bank_ms` a match and `increment_ms` before each asked decision are a seat's time;
    `start_grace` is how long, in seconds, a seat may take to accept."""

    match_id: str
    game: Game[Any]
    options: Mapping[str, OptionValue]
    bank_ms: int = 60_000
    increment_ms: int = 200
    job_id: str = ""
    attempt: int = 1
    match_number: int = 1
    start_grace: float = START_GRACE_S
