"""The terms of a match: the game, the clock, the bots at the seats, and the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.bots import RunningBot
from sevens_games import Game
from sevens_games.engine import OptionValue

START_GRACE_S = 20.0


@dataclass(frozen=True, slots=True)
class Origin:
    """The recorded match that a match repeats.

    `match`, `digest`: its id and its record's digest.
    `choices`: (seat, action) of its first choices, which are taken over without asking the seats.
    """

    match: str
    digest: str
    choices: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """The bot at a seat.

    `name`: the bot's name, for the record.
    `version`: its content digest, for the record; empty for built-in bots.
    `entrant`: the seat's place in the job's order of entrants.
    """

    bot: RunningBot
    name: str
    version: str
    entrant: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of one match.

    `bank_ms`: a seat's time for the match.
    `increment_ms`: the time that each decision sent to it adds.
    `start_grace`: the time, in seconds, that a seat may take to accept.
    `origin`: the match that it repeats, if any.
    """

    match_id: str
    game: Game[Any]
    options: Mapping[str, OptionValue]
    bank_ms: int = 60_000
    increment_ms: int = 200
    job_id: str = ""
    attempt: int = 1
    match_number: int = 1
    start_grace: float = START_GRACE_S
    origin: Origin | None = None
