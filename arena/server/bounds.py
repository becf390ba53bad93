"""How much the server takes, from all and from each."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bots.building import BUILD_BOUNDS, BuildBounds


@dataclass(frozen=True)
class Quotas:
    """What an owner may have. `versions_a_day`: accepted in the last 24 hours. `memory_mb` and
    `processes`: the most that a bot.toml may ask for."""

    versions_a_day: int = 20
    bots: int = 10
    mebibytes: int = 2048
    memory_mb: int = 1024
    processes: int = 64


@dataclass(frozen=True)
class Bounds:
    """What may go on at once, and how long it may take.

    `calls`: of all kinds, of everybody. `submissions` and `trials`: of everybody; a submission that
    waits to be tried counts among the former. `silence_s` and `upload_s`: between two pieces of an
    archive, and for all of it. `match_s`: for the match that a bot plays against itself.
    """

    calls: int = 64
    submissions: int = 8
    submissions_an_owner: int = 1
    submissions_a_day: int = 100
    trials: int = 2
    silence_s: float = 20.0
    upload_s: float = 300.0
    match_s: float = 600.0
    build: BuildBounds = BUILD_BOUNDS
    quotas: Quotas = Quotas()


BOUNDS = Bounds()
