"""Broadcasts the matches in play that have watchers.

It never changes a match: once a second it reads the progress of each. If Redis fails, watchers miss
updates for a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple

from arena.clock import monotonic
from arena.match import Observing, Referee
from arena.moment import rfc3339
from arena.queue import Broadcast, BroadcastFailed, Extent, LiveFault, LiveMatch
from arena.worker.folded_log import FoldedLog

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
WRITE_AGAIN_AFTER_S = 15.0  # if nothing has changed; a written state expires after a minute
REMEMBERED = 1_200  # extents, at most one a second: enough for the longest delay


@asynccontextmanager
async def broadcasting(broadcast: Broadcast) -> AsyncIterator[Observing]:
    """Broadcasts the matches that it observes while the context lasts."""
    broadcaster = _Broadcaster(broadcast)
    running = asyncio.create_task(broadcaster.run())
    try:
        yield broadcaster.observing
    finally:
        running.cancel()
        await asyncio.wait([running])
    if not running.cancelled():
        running.result()


class _Broadcaster:
    def __init__(self, broadcast: Broadcast) -> None:
        self._broadcast = broadcast
        self._courses: dict[str, _Course] = {}  # by job
        self._folded = FoldedLog(log)

    @contextmanager
    def observing(self, referee: Referee) -> Iterator[None]:
        """Follows a match while the context lasts."""
        job, course = referee.terms.job_id, _Course(referee)
        self._courses[job] = course
        try:
            yield
        finally:
            if self._courses.get(job) is course:
                del self._courses[job]

    async def run(self) -> None:
        """Writes the watched matches until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            now = monotonic()
            for course in self._courses.values():
                course.look(now)
            try:
                await self._write_watched()
            except BroadcastFailed as failure:
                self._folded.warning("matches in play cannot be watched", str(failure))

    async def _write_watched(self) -> None:
        jobs = tuple(self._courses)
        for job in await self._broadcast.watched(jobs) if jobs else ():
            course = self._courses.get(job)  # it may have ended in the meantime
            if course is None or not course.is_due(monotonic()):
                continue
            if not await self._broadcast.write(course.message(monotonic())):
                course.is_too_long = True
                log.warning("job %s: its match has become too long to be broadcast", job)


class _Seen(NamedTuple):
    """The extent of a match at one moment, in counts. `at`: seconds of `monotonic`."""

    at: float
    shuffles: int
    picks: int
    choices: int
    faults: int


class _Course:
    """The course of a match so far."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._seen: deque[_Seen] = deque(maxlen=REMEMBERED)
        self._written: tuple[_Seen, float] | None = None  # the last state written, and its time
        self.is_too_long = False

    def look(self, now: float) -> None:
        """Notes the present extent."""
        referee, match = self._referee, self._referee.match
        if match is None:  # nothing is dealt yet
            return
        deals = match.deals
        chance = (len(deals.shuffles), len(deals.picks))
        seen = _Seen(now, *chance, len(referee.choices), len(referee.faults))
        if not self._seen or self._seen[-1][1:] != seen[1:]:
            self._seen.append(seen)

    def is_due(self, now: float) -> bool:
        """True if the state should be written."""
        if not self._seen or self.is_too_long:
            return False
        if self._written is None:
            return True
        last, at = self._written
        return last is not self._seen[-1] or now > at + WRITE_AGAIN_AFTER_S

    def message(self, now: float) -> LiveMatch:
        """Returns the state at the last look."""
        referee, last = self._referee, self._seen[-1]
        terms, match = referee.terms, referee.match
        assert match is not None  # set once the first cards are dealt
        self._written = (last, now)
        return LiveMatch(
            job_id=terms.job_id,
            attempt=terms.attempt,
            match_number=terms.match_number,
            started_at=rfc3339(referee.started_at),
            shuffles=match.deals.shuffles[: last.shuffles],
            picks=match.deals.picks[: last.picks],
            choices=referee.choices[: last.choices],
            faults=[
                LiveFault(seat=f.seat, kind=f.kind, decision=f.decision, sentence=f.sentence)
                for f in referee.faults[: last.faults]
            ],
            extents=[_extent(seen, now) for seen in self._seen],
        )


def _extent(seen: _Seen, now: float) -> Extent:
    return Extent(
        age_ms=int((now - seen.at) * 1000),
        shuffles=seen.shuffles,
        picks=seen.picks,
        choices=seen.choices,
        faults=seen.faults,
    )
