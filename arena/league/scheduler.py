"""Keeps the workers busy: a few jobs queued for every competition, and none forgotten."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from random import Random
from typing import Protocol

from sqlalchemy.orm import Session

from arena.clock import monotonic
from arena.disk import DiskFull
from arena.league import analyses
from arena.league.comparison import ComparisonJobs
from arena.league.fleet import blocked_machines
from arena.league.job_rows import with_new_token
from arena.league.ladder import LadderJobs
from arena.league.remote_capacity import Room, nobody_is_there
from arena.league.table import TableJobs
from arena.league.tournament import TournamentJobs
from arena.queue import Job, Queue, cancellations, raise_swallowed
from arena.store.queries import all_queued_jobs, competitions, queued_jobs
from arena.store.schema import Comparison, Competition, Ladder, Table, Tournament
from arena.store.session import Store, with_room


class JobSource(Protocol):
    """Creates the jobs of one competition. Nothing else creates them."""

    def make(self, session: Session, keep: int, room: Room) -> list[Job]:
        """Returns new jobs, whose rows it has added, until `keep` are queued or no more are due.

        `room`: how many matches remote bots can take.
        """

    def versions(self, session: Session) -> set[str]:
        """Returns the digests of the versions that play, which workers may fetch in advance."""

    def over(self, session: Session) -> bool:
        """Returns whether it will create no more jobs, as things are."""


log = logging.getLogger(__name__)

KEEP = 8
LOOK_EVERY_S = 0.5
PUT_AGAIN_EVERY_S = 60.0
ANNOUNCE_EVERY_S = 1.0


class Scheduler:
    """Creates the jobs of all competitions, or of the ones named in `only`.

    `until_over`: stop once all of them are over and their jobs settled.
    `matches`: a ladder is over once it has had this many matches in total; None: never.
    `keep`: how many jobs of a competition are queued or in play at once, if no worker has any. The
      more the workers take, the more are kept for them.
    `room`: how many matches remote bots can take.
    `looked_at`: when it last finished a round.
    """

    def __init__(
        self,
        store: Store,
        queue: Queue,
        *,
        only: Collection[str] | None = None,
        until_over: bool = False,
        matches: int | None = None,
        keep: int = KEEP,
        rng: Random | None = None,
        room: Room = nobody_is_there,
    ) -> None:
        self._store = store
        self._queue = queue
        self._only = only
        self._until_over = until_over
        self._matches = matches
        self._least = keep
        self._in_play = 0
        self._analysed: set[str] = set()
        self._rng = rng or Random()
        self._room = room
        self._sources: dict[str, JobSource] = {}
        self._settled = asyncio.Event()
        self.looked_at = monotonic()

    def wake(self) -> None:
        """Signals that a job has been settled and another may fit."""
        self._settled.set()

    async def run(self) -> None:
        """Runs until cancelled, or until every competition is over and all jobs are settled."""
        announce_at = put_again_at = monotonic()
        before = cancellations()
        while True:
            raise_swallowed(before)
            if monotonic() >= announce_at:
                if not await self.announce():
                    put_again_at = monotonic()
                announce_at = monotonic() + ANNOUNCE_EVERY_S
            if monotonic() >= put_again_at:
                await self.put_again()
                put_again_at = monotonic() + PUT_AGAIN_EVERY_S
            await self.refill()
            if self._until_over and await with_room(self._done):
                return
            self.looked_at = monotonic()
            await self._something_settled()

    async def refill(self) -> None:
        """Queues the jobs that are due: rows first, then the stream."""
        for job in await with_room(self._make):
            await self._queue.put(job)

    async def announce(self) -> bool:
        """Lets the workers know which versions play and which machines are blocked, and looks
        which jobs they have taken. Returns False if Redis has lost its data."""
        self._in_play = await self._queue.in_play()
        self._analysed = await self._queue.analysed()
        return await self._queue.announce(*await with_room(self._announced))

    async def put_again(self) -> None:
        """Queues again what is queued in the store but neither on a stream nor leased."""
        # Ask the queue first: a job recorded in the meantime is no longer queued in the store.
        on_their_way = await self._queue.waiting_job_ids()
        for job in await with_room(lambda: self._lost(on_their_way)):
            log.warning("job %s was not on the queue, and is put there again", job.job_id)
            await self._queue.put(job)

    async def _something_settled(self) -> None:
        try:
            async with asyncio.timeout(LOOK_EVERY_S):
                await self._settled.wait()
        except TimeoutError:
            pass
        self._settled.clear()

    def _make(self) -> list[Job]:
        try:
            return self._made()
        except DiskFull:
            self._sources.clear()  # they count jobs that are not there
            raise

    def _made(self) -> list[Job]:
        # Jobs that a power cut undoes here are created again from the recorded results; results
        # of jobs that are no longer there are dropped.
        with self._store.writing(durable=False) as session:
            sources = self._every_source(session)
            # Workers that are busy with all there is could take more; once jobs wait for them, more
            # jobs are no longer in play, and no more are kept.
            keep = self._least + 2 * self._in_play // max(1, len(sources))
            jobs = [job for source in sources for job in source.make(session, keep, self._room)]
            analyses.note_running(session, self._analysed)
            return jobs + analyses.new_jobs(session)

    def _announced(self) -> tuple[set[str], frozenset[str]]:
        """Returns the versions that play, and the machines that are blocked."""
        with self._store.reading() as session:
            versions = {
                version
                for source in self._every_source(session)
                for version in source.versions(session)
            }
            return versions, blocked_machines(session)

    def _lost(self, on_their_way: Collection[str]) -> list[Job]:
        with self._store.writing() as session:
            lost = [row for row in all_queued_jobs(session) if row.id not in on_their_way]
            again = [with_new_token(row) for row in lost]
            return again + analyses.lost_jobs(session, on_their_way)

    def _done(self) -> bool:
        with self._store.reading() as session:
            return all(
                self._source(session, one).over(session) and not queued_jobs(session, one.name)
                for one in self._competitions(session)
            )

    def _competitions(self, session: Session) -> Sequence[Competition]:
        every = competitions(session)
        return [one for one in every if self._only is None or one.name in self._only]

    def _every_source(self, session: Session) -> list[JobSource]:
        going_on = self._competitions(session)
        ended = self._sources.keys() - {one.name for one in going_on}
        for name in ended:
            del self._sources[name]
        return [self._source(session, one) for one in going_on]

    def _source(self, session: Session, competition: Competition) -> JobSource:
        if competition.name not in self._sources:
            self._sources[competition.name] = self._new_source(session, competition)
        return self._sources[competition.name]

    def _new_source(self, session: Session, competition: Competition) -> JobSource:
        match competition:
            case Ladder():
                return LadderJobs(session, competition, self._rng, self._matches)
            case Tournament():
                return TournamentJobs(session, competition)
            case Comparison():
                return ComparisonJobs(session, competition)
            case Table():
                return TableJobs(session, competition)
            case _:
                raise NotImplementedError(f"Nothing plays competitions like {competition.kind}.")
