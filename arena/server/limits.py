"""How much the server takes, from all and from each."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bots.process.build import BUILD_BOUNDS, BuildBounds
from arena.bots.remote.gateway import REMOTE_BOUNDS, RemoteBounds


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

    `calls`: of all kinds, of everybody, and of one; streams of remote bots have bounds of their
    own. `submissions` and `trials`: of everybody; a submission that waits to be tried counts among
    the former. `fetches`: versions sent to workers. `silence_s`: how long a request may take, or
    the next piece of an archive; `upload_s`: all of it. `match_s`: the match that a bot plays
    against itself. `fetch_s`: sending a version.
    """

    calls: int = 128
    calls_a_caller: int = 16
    submissions: int = 8
    submissions_an_owner: int = 1
    submissions_a_day: int = 100
    trials: int = 2
    fetches: int = 4
    silence_s: float = 20.0
    upload_s: float = 300.0
    match_s: float = 600.0
    fetch_s: float = 600.0
    build: BuildBounds = BUILD_BOUNDS
    quotas: Quotas = Quotas()
    remotes: RemoteBounds = REMOTE_BOUNDS


BOUNDS = Bounds()
