"""The worker: takes jobs while it has room, renews their leases while it plays, reports outcomes.

It holds no database credentials, because it runs next to untrusted code.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from contextlib import nullcontext, suppress
from typing import Any, TypeVar

from arena import __version__
from arena.bots import ArenaFailure, MachineFailure
from arena.bots.remote import BotAway, Relay
from arena.clock import monotonic
from arena.log_fields import log_fields
from arena.match import Observing, Timekeeper
from arena.queue import (
    REPORT_EVERY_S,
    Lease,
    Outcome,
    Queue,
    QueueUnreachable,
    WorkerReport,
    cancellations,
    raise_swallowed,
)
from arena.worker.analyse_job import analyse_job
from arena.worker.fitness import Fitness, Trial
from arena.worker.folded_log import FoldedLog
from arena.worker.lending import Unplayable
from arena.worker.play_job import UnplayableHere, play_job, time_limit_s
from arena.worker.process_pool import Pool

log = logging.getLogger(__name__)

T = TypeVar("T")

TAKE_WAIT_S = 1.0
LOOK_EVERY_S = 1.0  # interval between checks for retired versions
GIVE_BACK_WITHIN_S = 3.0  # when stopped; otherwise the lease lapses by itself
# A worker that gives a job back waits, longer after each failure in a row, so that another worker
# takes it first. A job that this machine cannot play is left to other workers; if none takes it,
# attempts start to count, so that it cannot block the queue.
FIRST_STEP_BACK_S, STEP_BACK_S = 0.1, 5.0
LEFT_TO_OTHERS_S = 600.0
FORGOTTEN_S = 2 * LEFT_TO_OTHERS_S


class LeaseLost(Exception):
    """The job now belongs to another worker: the attempt is dropped."""


class Worker:
    """Plays jobs until stopped.

    `at_once`: the number of jobs played concurrently. A match counts as one core, since its seats
      mostly think in turn; one with a person does not count, since it mostly waits for the person.
    `renew_every_s`: the interval between renewals of a lease, in seconds.
    `relay`: reaches remote bots.
    `observing`: observes each match.
    `trial`: proves that this machine can play; without a success no job is taken.
    """

    def __init__(
        self,
        name: str,
        queue: Queue,
        pool: Pool,
        *,
        at_once: int,
        renew_every_s: float,
        trial: Trial,
        relay: Relay | None = None,
        observing: Observing = nullcontext,
    ) -> None:
        self.name = name
        self._queue = queue
        self._pool = pool
        self._relay = relay
        self._observing = observing
        self._renew_every_s = renew_every_s
        self._at_once = at_once
        self._room = asyncio.Semaphore(at_once)
        self._in_play: set[str] = set()  # ids of jobs
        self._timekeeper = Timekeeper()
        self._stopping = asyncio.Event()
        self._fitness = Fitness(trial)
        self._failures = 0  # of the arena, in a row
        self._folded = FoldedLog(log)
        # Jobs that this machine cannot play, with the time of the first try.
        self._left: dict[str, float] = {}

    def stop(self) -> None:
        """Takes no more jobs; `run` returns when those in play are over."""
        self._stopping.set()

    async def run(self) -> None:
        """Works until `stop`; if cancelled, gives back what is in play."""
        timekeeping = asyncio.create_task(self._timekeeper.run())
        try:
            async with asyncio.TaskGroup() as jobs:
                attending = [
                    jobs.create_task(one) for one in (self._end_retired(), self._keep_reporting())
                ]
                await self._take_jobs(jobs)
                for task in attending:
                    task.cancel()
        finally:
            timekeeping.cancel()
            await self._pool.close()

    async def _take_jobs(self, jobs: asyncio.TaskGroup) -> None:
        while not self._stopping.is_set():
            await self._room.acquire()
            await self._fitness.wait(self._stopping)
            if self._stopping.is_set():
                return
            lease = await self._take()
            if cancellations():
                if lease is not None:
                    await self._give_back_at_once(lease)
                raise asyncio.CancelledError
            if lease is None:
                self._room.release()
                continue
            log.debug("job %s: leased, attempt %d", lease.job.job_id, lease.attempt)
            work = jobs.create_task(self._work(lease))
            if lease.job.unhurried:
                self._room.release()
            else:
                work.add_done_callback(lambda _: self._room.release())

    async def _take(self) -> Lease | None:
        try:
            return await self._queue.take(self.name, TAKE_WAIT_S)
        except QueueUnreachable:  # the queue has logged it
            return None

    async def _end_retired(self) -> None:
        """Ends idle processes of versions that no longer play, until cancelled."""
        while not cancellations():
            await asyncio.sleep(LOOK_EVERY_S)
            idle = self._pool.idle_versions
            try:
                retired = await self._queue.retired(idle) if idle else ()
            except QueueUnreachable:  # the loop that takes jobs reports it
                continue
            await self._pool.end(retired)

    async def _keep_reporting(self) -> None:
        """Says what this worker is and does, until cancelled."""
        before = cancellations()
        while True:
            jobs = tuple(sorted(self._in_play))
            report = WorkerReport(
                worker=self.name, version=__version__, at_once=self._at_once, jobs=jobs
            )
            with suppress(QueueUnreachable):  # the loop that takes jobs reports it
                await self._queue.report(report)
            raise_swallowed(before)
            await asyncio.sleep(REPORT_EVERY_S)

    async def _work(self, lease: Lease) -> None:
        """Makes one attempt at a job. In all cases the job ends finished, given back, or with
        another worker."""
        job = lease.job
        bots = ",".join(entrant.bot for entrant in job.entrants)
        self._in_play.add(job.job_id)
        with log_fields(competition=job.competition, game=job.game, bots=bots):
            try:
                await self._attempt(lease)
            except QueueUnreachable as error:  # the lease will lapse; another worker takes the job
                log.warning("job %s: the attempt is dropped: %s", job.job_id, error)
            finally:
                self._in_play.discard(job.job_id)

    async def _attempt(self, lease: Lease) -> None:
        job_id = lease.job.job_id
        try:
            outcome = await self._play(lease)
        except LeaseLost:
            log.warning("job %s: the lease was lost, the attempt is dropped", job_id)
        except UnplayableHere as reason:
            self._folded.warning(f"job {job_id}: left to other workers", str(reason))
            await self._queue.give_back(lease, str(reason), for_good=True)
            await self._step_back()
        except Unplayable as reason:
            absent = isinstance(reason.__cause__, BotAway)
            await self._queue.fail(lease, str(reason), absent=absent)
        except QueueUnreachable:
            raise
        except Exception as failure:  # never a bot's fault; logged
            await self._return(lease, failure)
            await self._step_back()
        except asyncio.CancelledError:
            await self._give_back_at_once(lease)
            raise
        else:
            await self._report(lease, outcome)

    async def _return(self, lease: Lease, failure: Exception) -> None:
        """Gives a job back after a failure of the arena. The attempt does not count if this
        machine cannot play."""
        job_id, cause = lease.job.job_id, str(failure) or repr(failure)
        self._fitness.doubt()
        try:
            fit = await self._renewing(lease, self._fitness.proven())
        except LeaseLost:
            self._folded.warning(f"job {job_id}: the lease was lost after a failure", cause)
            return
        if not fit:
            self._folded.warning(f"job {job_id}: handed back, this machine cannot play", cause)
            await self._queue.hand_back(lease)
        elif isinstance(failure, MachineFailure) and self._leaves_to_others(job_id):
            self._folded.warning(f"job {job_id}: left to other workers", cause)
            await self._queue.hand_back(lease)
        else:
            unforeseen = None if isinstance(failure, ArenaFailure) else failure
            self._folded.warning(f"job {job_id}: given back, the arena failed", cause, unforeseen)
            await self._queue.give_back(lease, f"The arena failed: {cause}")

    def _leaves_to_others(self, job_id: str) -> bool:
        """True while a job that this machine cannot play is left to other workers."""
        now = monotonic()
        lately = {job: since for job, since in self._left.items() if now < since + FORGOTTEN_S}
        self._left = lately
        return now < lately.setdefault(job_id, now) + LEFT_TO_OTHERS_S

    async def _step_back(self) -> None:
        """Waits for a while, occupying the job's slot."""
        pause_s = min(FIRST_STEP_BACK_S * 2**self._failures, STEP_BACK_S)
        self._failures += 1
        with suppress(TimeoutError):
            async with asyncio.timeout(pause_s):
                await self._stopping.wait()

    async def _give_back_at_once(self, lease: Lease) -> None:
        """Gives the job back because the worker is stopping, without waiting long for Redis."""
        try:
            async with asyncio.timeout(GIVE_BACK_WITHIN_S):
                await self._queue.hand_back(lease)
        except (TimeoutError, QueueUnreachable) as error:
            log.warning("job %s: not given back, its lease will lapse: %r", lease.job.job_id, error)

    async def _play(self, lease: Lease) -> Outcome:
        """Plays or analyses while renewing the lease. Raises LeaseLost."""
        playing = (
            analyse_job(lease)
            if lease.job.record
            else play_job(
                lease,
                self._pool,
                self._timekeeper,
                self._fitness.vouch,
                self._relay,
                self._observing,
            )
        )
        return await self._renewing(lease, _within(time_limit_s(lease.job), playing))

    async def _renewing(self, lease: Lease, work: Coroutine[Any, Any, T]) -> T:
        """Works while renewing the lease. Raises LeaseLost."""
        working = asyncio.create_task(work)
        renewing = asyncio.create_task(self._renew(lease))
        try:
            await asyncio.wait((working, renewing), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                renewing.result()
            return working.result()
        finally:
            for task in (working, renewing):
                task.cancel()
            await asyncio.gather(working, renewing, return_exceptions=True)

    async def _renew(self, lease: Lease) -> None:
        """Renews the lease until cancelled. Raises LeaseLost."""
        while not cancellations():
            await asyncio.sleep(self._renew_every_s)
            if not await self._queue.heartbeat(lease):
                raise LeaseLost

    async def _report(self, lease: Lease, outcome: Outcome) -> None:
        self._failures = 0
        if await self._queue.finish(lease, outcome):
            log.info("job %s: done", lease.job.job_id)
        else:
            log.warning("job %s: the lease was lost, the outcome is dropped", lease.job.job_id)


async def _within(seconds: float, work: Awaitable[T]) -> T:
    async with asyncio.timeout(seconds):
        return await work
