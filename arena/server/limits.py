"""Limits: how much the server accepts, in total and from each caller."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arena.bots.process import BUILD_BOUNDS, BuildBounds
from arena.bots.remote import REMOTE_BOUNDS, RemoteBounds
from arena.clock import monotonic
from arena.errors import ArenaError, Kind

DAY_S = 24 * 60 * 60


@dataclass(frozen=True)
class Quotas:
    """The quotas of an owner.

    `versions_a_day`: versions accepted in the last 24 hours.
    `bots`: bots, however many versions each has.
    `mebibytes`: disk space for all versions of all bots.
    `memory_mb`: the most memory that a bot.toml may ask for, in MiB.
    `processes`: the most processes that a bot.toml may ask for.
    """

    versions_a_day: int = 20
    bots: int = 10
    mebibytes: int = 2048
    memory_mb: int = 1024
    processes: int = 64


@dataclass(frozen=True)
class ServerLimits:
    """Limits on concurrency and on time. Streams of remote bots are not counted among calls.

    `calls`: open calls of all kinds, in total.
    `calls_a_caller`: open calls of one caller.
    `submissions`: open submissions in total, including those that wait for their trial.
    `submissions_an_owner`: open submissions of one owner.
    `submissions_a_day`: submissions of one owner in 24 hours, accepted or not.
    `trials`: bots on trial at once.
    `fetches`: versions sent to workers at once.
    `silence_s`: the longest wait for a request or for the next piece of an archive, in seconds.
    `upload_s`: the longest upload of an archive, in seconds.
    `match_s`: the longest match of a bot against itself, in seconds.
    `fetch_s`: the longest transfer of a version to a worker, in seconds.
    `file_threads`: threads that unpack, copy, pack and remove the files of bots.
    `file_work_s`: the longest such task, in seconds.
    `build`: limits of a bot's build.
    `quotas`: of each owner.
    `remotes`: limits of remote bots.
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
    file_threads: int = 4
    file_work_s: float = 300.0
    build: BuildBounds = BUILD_BOUNDS
    quotas: Quotas = Quotas()
    remotes: RemoteBounds = REMOTE_BOUNDS


SERVER_LIMITS = ServerLimits()


class SubmissionSlots:
    """Slots for open submissions. Nobody queues for one, since waiting would hold a stream. The
    count of a day starts again with the server."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._taken: Counter[str] = Counter()
        self._started: defaultdict[str, deque[float]] = defaultdict(deque)

    @contextmanager
    def take(self, owner: str) -> Iterator[None]:
        """Takes a slot for as long as the context lasts. Raises ArenaError."""
        self._check(owner)
        self._taken[owner] += 1
        self._started[owner].append(monotonic())
        try:
            yield
        finally:
            self._taken[owner] -= 1

    def _check(self, owner: str) -> None:
        limits, started = self._limits, self._started[owner]
        while started and started[0] < monotonic() - DAY_S:
            started.popleft()
        if len(started) >= limits.submissions_a_day:
            raise ArenaError(
                Kind.TOO_MANY,
                f"You have reached the limit of {limits.submissions_a_day} submissions in 24 hours."
                " Test your bot locally with `arena bot check`, and submit it tomorrow.",
            )
        if self._taken[owner] >= limits.submissions_an_owner:
            raise ArenaError(
                Kind.TOO_MANY, "Another submission of yours is still in progress; wait for it."
            )
        if self._taken.total() >= limits.submissions:
            raise ArenaError(
                Kind.TOO_MANY, "The server is busy with other submissions; try again in a minute."
            )
