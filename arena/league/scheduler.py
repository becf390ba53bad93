"""Keeps the workers busy: a few jobs queued for every ladder, and none forgotten."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Sequence
from random import Random

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.jobs import with_new_token
from arena.league.ladder.jobs import LadderJobs
from arena.league.ladder.ladders import obstacle, playing_versions
from arena.league.remote_capacity import Room, nobody_is_there
from arena.queue import Job, Queue, cancellations
from arena.store import DiskFull, JobState, Ladder, Store, ladders, queued_jobs, tables, with_room

log = logging.getLogger(__name__)

KEEP = 8
LOOK_EVERY_S = 0.5
PUT_AGAIN_EVERY_S = 60.0
ANNOUNCE_EVERY_S = 1.0


class Scheduler:
    """Creates the jobs of all ladders, or of the ones named in `only`.

    `keep`: how many jobs of a ladder are queued or in play at once.
    `matches`: stop once a ladder has had this many matches in total; None: never.
    `room`: how many matches remote bots can take.
    """

    def __init__(
        self,
        store: Store,
        queue: Queue,
        *,
        only: Collection[str] | None = None,
        matches: int | None = None,
        keep: int = KEEP,
        rng: Random | None = None,
        room: Room = nobody_is_there,
    ) -> None:
        self._store = store
        self._queue = queue
        self._only = only
        self._target = matches
        self._keep = keep
        self._rng = rng or Random()
        self._room = room
        self._books: dict[str, LadderJobs] = {}
        self._settled = asyncio.Event()

    def wake(self) -> None:
        """Signals that a job has been settled and another may fit."""
        self._settled.set()

    async def run(self) -> None:
        """Runs until every ladder has its matches or cannot continue, and all jobs are settled."""
        announce_at = put_again_at = time.monotonic()
        while not cancellations():
            if time.monotonic() >= announce_at:
                if not await self.announce():
                    put_again_at = time.monotonic()
                announce_at = time.monotonic() + ANNOUNCE_EVERY_S
            if time.monotonic() >= put_again_at:
                await self.put_again()
                put_again_at = time.monotonic() + PUT_AGAIN_EVERY_S
            await self.refill()
            if self._target is not None and await with_room(self._done):
                return
            await self._something_settled()

    async def refill(self) -> None:
        """Queues the jobs that are due: rows first, then the stream."""
        for job in await with_room(self._make):
            await self._queue.put(job)

    async def announce(self) -> bool:
        """Lets the workers know which versions play. Returns False if Redis has lost its data."""
        return await self._queue.announce(await with_room(self._playing))

    async def put_again(self) -> None:
        """Queues again what is queued in the store but neither on a stream nor leased."""
        # Ask the queue first: a job recorded in the meantime is no longer queued in the store.
        on_their_way = await self._queue.waiting_job_ids()
        for job in await with_room(lambda: self._lost(on_their_way)):
            log.warning("job %s was lost with Redis and is queued again", job.job_id)
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
            self._books.clear()  # they count jobs that are not there
            raise

    def _made(self) -> list[Job]:
        with self._store.writing() as session:
            return [
                job
                for ladder in self._ladders(session)
                for job in self._book(session, ladder).make(
                    session, self._keep, self._target, self._room
                )
            ]

    def _playing(self) -> set[str]:
        with self._store.reading() as session:
            return {
                version.digest
                for ladder in self._ladders(session)
                for version in playing_versions(session, ladder)
            }

    def _lost(self, on_their_way: Collection[str]) -> list[Job]:
        with self._store.writing() as session:
            queued = session.scalars(
                sa.select(tables.Job)
                .where(tables.Job.state == JobState.QUEUED)
                .order_by(tables.Job.created_at)
            )
            return [with_new_token(row) for row in queued if row.id not in on_their_way]

    def _done(self) -> bool:
        with self._store.reading() as session:
            return all(
                (self._book(session, ladder).reached(self._target) or obstacle(session, ladder))
                and not queued_jobs(session, ladder.name)
                for ladder in self._ladders(session)
            )

    def _ladders(self, session: Session) -> Sequence[Ladder]:
        every = ladders(session)
        return [one for one in every if self._only is None or one.name in self._only]

    def _book(self, session: Session, ladder: Ladder) -> LadderJobs:
        if ladder.name not in self._books:
            self._books[ladder.name] = LadderJobs(session, ladder, self._rng)
        return self._books[ladder.name]
