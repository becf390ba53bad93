"""The queue on Redis streams: jobs to workers under leases, outcomes back to the recorder.

A lease is a consumer group's entry that is pending for one worker. A worker that stops renewing its
lease loses it to the next worker that asks. Nothing here survives the loss of Redis, and nothing
has to: the store queues again all jobs that it lists as queued.

Matches to be analysed are on a stream of their own. A worker reads it when no match waits to be
played, and after every MATCHES_PER_ANALYSIS matches: a ladder always has one that waits.

Every command is retried until Redis answers or `PATIENCE_S` have passed, so each one tolerates
being executed twice: ending a lease leaves a receipt, a job put twice is played twice and recorded
once, and an entry whose delivery was lost is treated like one whose worker was lost.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from typing import Any

from redis.commands.core import AsyncScript
from redis.exceptions import (
    AuthenticationError,
    MasterDownError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from arena.clock import monotonic
from arena.errors import ArenaError, Kind
from arena.queue.cancellation import cancellations, raise_swallowed
from arena.queue.codec import BadMessage, NotSigned, packed, unpacked
from arena.queue.job import Job, Outcome
from arena.queue.keys import (
    ANALYSES,
    ANNOUNCED,
    BLOCKED,
    JOBS,
    PLAYING,
    RECORDER,
    RECORDERS,
    REPORTS,
    RESULTS,
    SETTLED,
    WORKERS,
)
from arena.queue.redis_address import check_address, close, opened, without_password
from arena.queue.worker_report import KEPT_S, WorkerReport

log = logging.getLogger(__name__)

LEASE_S = 15.0
RENEW_EVERY_S = 5.0
ATTEMPTS = 3
MATCHES_PER_ANALYSIS = 20
LEFT_TO_OTHERS_S = 600.0  # time for which a job waits for machines that have not failed on it
RESULTS_WAITING_LIMIT = 1_000
MOST_ANALYSED = 200  # jobs that are listed
PATIENCE_S = 30.0  # time for which a Redis that does not answer is retried
FIRST_PATIENCE_S = 4.0  # the same for one that never answered: its address is probably wrong
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0  # between two retries
LONGEST_BLOCK_S = 2.0  # of one read, during which an idle worker misses lost jobs
ANSWER_WITHIN_S = 5.0  # must be more than LONGEST_BLOCK_S
RECEIPT_S = 120  # must be more than PATIENCE_S
FORGET_WORKERS_AFTER_S = 86_400

# Errors of a Redis that cannot write its file or has reached its memory limit, that has become a
# replica, or is busy with a script.
PASSING = re.compile(r"\b(MISCONF|OOM|READONLY|BUSY|MASTERDOWN|NOREPLICAS|TRYAGAIN) ")
PASSING_ERRORS = (OutOfMemoryError, ReadOnlyError, MasterDownError, TryAgainError)
# Errors after our keys vanished while a read was waiting, or were replaced by other values.
LOST = re.compile(r"\b(NOGROUP|UNBLOCKED|WRONGTYPE) ")

Fields = dict[bytes, bytes]
Found = tuple[str, bytes, Fields, int, str]
"""An entry that a worker has taken: stream, entry, fields, delivery, and who held it before."""


class QueueUnreachable(ArenaError):
    """Redis does not answer. The sentence names the address and a remedy. Any method may raise
    it."""

    def __init__(self, sentence: str) -> None:
        super().__init__(Kind.UNREACHABLE, sentence, "redis")


@dataclass(frozen=True)
class Lease:
    """A job held by one worker until the worker finishes it, gives it back, or lets the lease
    lapse.

    `attempt`: the number of this attempt at the job, from 1.
    `delivery`: the number of this delivery of the entry, from 1; it distinguishes this lease from
      an earlier one that the same worker lost.
    `failed_on`: the machines on which the arena failed in earlier attempts.
    `failing_since`: the time of the first such failure, by the clock of Redis, in seconds since
    1970; 0 without one.
    `stream`: that of the entry.
    """

    job: Job
    entry: bytes
    worker: str
    attempt: int
    delivery: int
    failed_on: frozenset[str] = frozenset()
    failing_since: int = 0
    stream: str = JOBS


@dataclass(frozen=True)
class Delivered:
    """An outcome as delivered to the recorder.

    `outcome`: None if the bytes were not an outcome; `problem` is then the reason.
    `signed`: whether it carries the key's signature for that job.
    `times`: the number of its deliveries.
    """

    entry: bytes
    job_id: str
    times: int
    outcome: Outcome | None
    problem: str = ""
    signed: bool = True


class Queue:
    """The queue at a Redis address (`unix:///path` or `redis://host:port`; Redis 6.2 or Valkey).

    `key`: signs messages; messages without its signature are ignored.
    `lease_s`: the number of seconds without a heartbeat after which any worker may take the job.

    Names of workers must be unique, including those of workers that have ended. The part before the
    last hyphen names their machine. Raises ArenaError.
    """

    def __init__(
        self, url: str, key: bytes, *, lease_s: float = LEASE_S, patience_s: float = PATIENCE_S
    ) -> None:
        check_address(url)
        self.url = url
        self._key = key
        self.lease_s = lease_s
        self.patience_s = patience_s
        self._redis = opened(url, ANSWER_WITHIN_S)
        self._answered = False
        self._trouble: RedisError | None = None
        self._announced: tuple[frozenset[str], frozenset[str]] | None = None
        self._is_blocked = False
        self._matches = 0  # taken since the last analysis
        self._claim = self._script("claim")
        self._heartbeat = self._script("heartbeat")
        self._settle = self._script("settle")
        self._waiting = self._script("waiting")
        self._forget = self._script("forget")
        self._clear = self._script("clear")

    async def connect(self) -> None:
        """Checks that Redis answers within a few seconds, and that the groups exist."""
        await self._ask(self._make_groups, min(self.patience_s, FIRST_PATIENCE_S))
        for stream in (JOBS, ANALYSES):
            await self._run(self._forget, [stream], WORKERS, FORGET_WORKERS_AFTER_S * 1000)

    async def close(self) -> None:
        """Closes the connections."""
        await close(self._redis)

    # The league's side ----------------------------------------------------------------------------

    async def put(self, job: Job) -> None:
        """Adds a job to the end of its stream."""
        fields: Any = {"job_id": job.job_id, "job": packed(job, self._key), "attempts": 0}
        stream = ANALYSES if job.record else JOBS
        await self._ask(lambda: self._redis.xadd(stream, fields))

    async def waiting_job_ids(self) -> set[str]:
        """Returns the jobs in transit: waiting, leased, or played and not yet recorded."""
        job_ids: list[bytes] = await self._run(self._waiting, [JOBS, ANALYSES, RESULTS])
        return {_text(job_id) for job_id in job_ids}

    async def in_play(self) -> int:
        """Returns how many jobs workers have taken and not finished, apart from analyses."""
        pending = await self._ask(lambda: self._redis.xpending(JOBS, WORKERS))
        return int(pending["pending"])

    async def analysed(self) -> set[str]:
        """Returns the analyses that workers have taken and not finished, the oldest
        MOST_ANALYSED of them."""
        taken: list[Any] = await self._ask(
            lambda: self._redis.xpending_range(ANALYSES, WORKERS, "-", "+", MOST_ANALYSED)
        )
        ids = [one["message_id"] for one in taken]
        found = [await self._ask(partial(self._redis.xrange, ANALYSES, one, one)) for one in ids]
        return {_text(fields.get(b"job_id")) for entries in found for _, fields in entries}

    async def announce(self, versions: Collection[str], blocked: Collection[str] = ()) -> bool:
        """Publishes the versions that play, and the machines that are blocked, to the workers.
        Returns False if Redis has lost its data since the last call."""
        kept = bool(await self._ask(lambda: self._redis.exists(PLAYING)))
        announced = (frozenset(versions), frozenset(blocked))
        if kept and self._announced == announced:
            return True

        async def rewrite() -> None:
            async with self._redis.pipeline(transaction=True) as commands:
                commands.delete(PLAYING, BLOCKED)
                commands.sadd(PLAYING, ANNOUNCED, *versions)
                if blocked:
                    commands.sadd(BLOCKED, *blocked)
                await commands.execute()

        await self._ask(rewrite)
        lost = not kept and self._announced is not None
        self._announced = announced
        return not lost

    # The worker's side ----------------------------------------------------------------------------

    async def take(self, worker: str, wait_s: float) -> Lease | None:
        """Returns the next job for this worker: first lost ones, then new ones, then matches to
        analyse; None if none arrives.

        A job that has already been lost ATTEMPTS times is reported as failed instead. While too
        many results wait to be recorded, or its machine is blocked, there is no next job.
        """
        give_up_at = monotonic() + wait_s
        before = cancellations()
        while True:
            left_s = max(0.0, give_up_at - monotonic())
            found = None
            if not await self._may_take(worker):
                await asyncio.sleep(min(left_s, LONGEST_BLOCK_S))
            else:
                found = await self._next(worker, left_s, before)
            if found:
                lease = await self._leased(worker, *found)
                if lease is not None:
                    self._matches = 0 if lease.job.record else self._matches + 1
                    return lease
            elif monotonic() >= give_up_at:
                return None

    async def report(self, report: WorkerReport) -> None:
        """Publishes the state of a worker, which is forgotten after KEPT_S."""
        data = packed(report, self._key)
        await self._ask(lambda: self._redis.set(f"{REPORTS}:{report.worker}", data, ex=KEPT_S))

    async def heartbeat(self, lease: Lease) -> bool:
        """Renews the lease. Returns False if it is lost."""
        return bool(await self._run(self._heartbeat, [lease.stream], *_named(lease)))

    async def finish(self, lease: Lease, outcome: Outcome) -> bool:
        """Publishes the outcome and removes the job from the stream, in one step.

        Returns False if the lease is lost; then nothing has changed.
        """
        result = ("job_id", lease.job.job_id, "outcome", packed(outcome, self._key))
        return await self._end(lease, RESULTS, *result)

    async def give_back(self, lease: Lease, reason: str, *, for_good: bool = False) -> bool:
        """Puts the job back after a failure of the arena itself. Returns False if the lease is
        lost.

        After ATTEMPTS attempts it is reported as failed for good, unless other machines may play
        it. `for_good`: this machine need not try again.
        """
        if for_good or lease.attempt >= ATTEMPTS:
            return await self._give_up(lease, reason, lease.worker)
        return await self._put_again(await self._failed(lease, lease.worker), lease.attempt)

    async def hand_back(self, lease: Lease) -> bool:
        """Puts the job back because the worker stops or its machine cannot play: the attempt
        does not count. Returns False if the lease is lost."""
        return await self._put_again(lease, lease.attempt - 1)

    async def retired(self, versions: Collection[str]) -> set[str]:
        """Returns the versions among these that the league no longer plays; none if it has
        announced nothing."""
        asked = [ANNOUNCED, *versions]
        announced, *plays = await self._ask(lambda: self._redis.smismember(PLAYING, asked))
        return {
            version for version, one in zip(versions, plays, strict=True) if announced and not one
        }

    async def fail(self, lease: Lease, reason: str, *, absent: bool = False) -> bool:
        """Reports the job as failed for good, with the reason. Returns False if the lease is lost.
        `absent`: as in Outcome."""
        outcome = Outcome(
            job_id=lease.job.job_id,
            attempt=lease.attempt,
            worker=lease.worker,
            result_token=lease.job.result_token,
            failure=reason,
            absent=absent,
        )
        return await self.finish(lease, outcome)

    async def results_waiting(self) -> int:
        """Returns the number of outcomes that wait to be recorded."""
        return int(await self._ask(lambda: self._redis.xlen(RESULTS)))

    # The recorder's side --------------------------------------------------------------------------

    async def outcomes(self, count: int, wait_s: float) -> list[Delivered]:
        """Returns the next outcomes to record: first those delivered but not acknowledged, then
        new ones. Waits at most LONGEST_BLOCK_S for the first."""
        entries = await self._read(RESULTS, RECORDERS, RECORDER, "0", count, 0)
        for entry, fields in entries:
            if not fields:  # deleted by another client, but still pending
                await self._drop(RESULTS, RECORDERS, entry)
        entries = [(entry, fields) for entry, fields in entries if fields]
        if not entries:
            entries = await self._read(RESULTS, RECORDERS, RECORDER, ">", count, wait_s)
        if not entries:
            return []
        bounds = (entries[0][0], entries[-1][0], len(entries))
        pending: list[Any] = await self._ask(
            lambda: self._redis.xpending_range(RESULTS, RECORDERS, *bounds)
        )
        times = {one["message_id"]: int(one["times_delivered"]) for one in pending}
        return [self._delivered(entry, times.get(entry, 1), fields) for entry, fields in entries]

    async def acknowledge(self, delivered: Delivered) -> None:
        """Removes an outcome from the stream: it is recorded, or its job is parked."""
        await self._drop(RESULTS, RECORDERS, delivered.entry)

    # Within ---------------------------------------------------------------------------------------

    async def _may_take(self, worker: str) -> bool:
        async def both() -> list[Any]:
            async with self._redis.pipeline(transaction=False) as ask:
                ask.xlen(RESULTS)
                ask.smismember(BLOCKED, [machine_of(worker)])
                return list(await ask.execute())

        results, [blocked] = await self._ask(both)
        if self._is_blocked != bool(blocked):
            self._is_blocked = bool(blocked)
            log.warning(
                "this machine %s", "is blocked: it gets no jobs" if blocked else "may play again"
            )
        if results > RESULTS_WAITING_LIMIT:
            log.warning("more than %d results wait to be recorded", RESULTS_WAITING_LIMIT)
        return not blocked and results <= RESULTS_WAITING_LIMIT

    def _script(self, name: str) -> AsyncScript:
        text = files("arena.queue").joinpath(f"scripts/{name}.lua").read_text()
        return self._redis.register_script(text)

    async def _ask(
        self, command: Callable[[], Awaitable[Any]], patience_s: float | None = None
    ) -> Any:
        """Returns the answer of Redis. Asks again if there is none, if Redis has lost our streams,
        and, without a limit of time, while it refuses for a reason that passes.

        Raises QueueUnreachable without an answer in `patience_s`.
        """
        patience_s = self.patience_s if patience_s is None else patience_s
        say_at, give_up_at = monotonic() + FIRST_PATIENCE_S, monotonic() + patience_s
        pause_s = FIRST_PAUSE_S
        streams_lost = waited = False
        before = cancellations()
        while True:
            try:
                if streams_lost:
                    await self._clear(keys=[PLAYING, BLOCKED, JOBS, ANALYSES, RESULTS])
                    await self._make_groups()
                answer = await command()
            except RedisError as error:
                if self._passes(error):
                    give_up_at = monotonic() + patience_s
                waited = self._endure(error, say_at, give_up_at) or waited
                streams_lost = streams_lost or LOST.search(str(error)) is not None
                if isinstance(error, ReadOnlyError):  # a new connection finds the new master
                    await self._redis.connection_pool.disconnect(inuse_connections=False)
            else:
                self._answered = True
                self._works(waited)
                return answer
            raise_swallowed(before)
            await asyncio.sleep(pause_s * random.uniform(0.5, 1))  # not all at once
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _endure(self, error: RedisError, say_at: float, give_up_at: float) -> bool:
        """Raises what is not worth waiting for, and silence that has lasted too long. Returns
        whether the log says that matches wait."""
        now = monotonic()
        if self._passes(error):
            self._waits_for(error)
            return True
        if _is_silence(error) or _is_refusal(error):
            if now > give_up_at or not _is_silence(error):
                raise self._unreachable(error) from None
            if now <= say_at:
                return False
            self._waits_for(error)
            return True
        if not LOST.search(str(error)) or now > give_up_at:
            raise error
        log.warning("Redis has lost our streams, or other values replaced them; recreating them")
        return False

    def _passes(self, error: RedisError) -> bool:
        """Returns whether Redis refuses for a reason that ends without the arena; so may the loss
        of rights that it once gave."""
        passing = isinstance(error, PASSING_ERRORS) or PASSING.search(str(error)) is not None
        return passing or (self._answered and _is_refusal(error))

    def _unreachable(self, error: RedisError) -> QueueUnreachable:
        untrusted = "CERTIFICATE_VERIFY_FAILED" in str(error)
        advice = (
            "If its certificate is from an authority of your own, add ?ssl_ca_certs=FILE to the"
            " address."
            if untrusted
            else "Is it running there, and is the address right?"
        )
        return QueueUnreachable(
            f"Redis at {without_password(self.url)} does not answer: {str(error).rstrip('.')}."
            f" {advice}"
        )

    def _waits_for(self, error: RedisError) -> None:
        """Logs once that Redis takes nothing at present."""
        if self._trouble is None:
            self._trouble = error
            log.warning(
                "Redis at %s takes nothing at present; matches wait until it does. It says: %s",
                *(without_password(self.url), str(error) or type(error).__name__),
            )

    def _works(self, waited: bool) -> None:
        """Logs the end of what `_waits_for` has logged: with any answer the end of silence, with
        the answer to a command that waited the end of refusals, which not every command meets."""
        if self._trouble is not None and (waited or _is_silence(self._trouble)):
            self._trouble = None
            log.warning("Redis at %s works again.", without_password(self.url))

    async def _run(
        self, script: AsyncScript, keys: Sequence[str], *arguments: str | bytes | int
    ) -> Any:
        return await self._ask(lambda: script(keys=keys, args=arguments))

    async def _make_groups(self) -> None:
        for stream, group in ((JOBS, WORKERS), (ANALYSES, WORKERS), (RESULTS, RECORDERS)):
            try:
                await self._redis.xgroup_create(stream, group, id="0", mkstream=True)
            except ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):
                    raise

    async def _next(self, worker: str, wait_s: float, before: int) -> Found | None:
        """Waits for a match, and only then for an analysis; once in a while the other way round.
        `before`: the worker's cancellations until now."""
        first = [(ANALYSES, 0.0)] if self._matches >= MATCHES_PER_ANALYSIS else []
        for stream, patience_s in (*first, (JOBS, wait_s), (ANALYSES, 0.0)):
            raise_swallowed(before)
            if found := await self._claim_lost(stream, worker):
                return found
            raise_swallowed(before)
            if found := await self._read_new(stream, worker, patience_s):
                return found
        return None

    async def _claim_lost(self, stream: str, worker: str) -> Found | None:
        answer = await self._run(self._claim, [stream], WORKERS, worker, int(self.lease_s * 1000))
        if answer is None:
            return None
        entry, flat, delivery, loser = answer
        fields = dict(zip(flat[::2], flat[1::2], strict=True))
        log.warning("job %s was lost by its worker", _text(fields.get(b"job_id")))
        return stream, entry, fields, delivery, _text(loser)

    async def _read_new(self, stream: str, worker: str, wait_s: float) -> Found | None:
        entries = await self._read(stream, WORKERS, worker, ">", 1, wait_s)
        return (stream, *entries[0], 1, "") if entries else None

    async def _read(
        self, stream: str, group: str, consumer: str, after: str, count: int, wait_s: float
    ) -> list[tuple[bytes, Fields]]:
        block_ms = int(min(wait_s, LONGEST_BLOCK_S) * 1000) or None  # Redis takes 0 for "for ever"
        answer = await self._ask(
            lambda: self._redis.xreadgroup(
                group, consumer, {stream: after}, count=count, block=block_ms
            )
        )
        return [entry for _, entries in answer or [] for entry in entries]

    async def _leased(
        self, worker: str, stream: str, entry: bytes, fields: Fields, delivery: int, lost_by: str
    ) -> Lease | None:
        """Returns the lease of an entry, or None if it cannot be played: an entry without a job
        is logged and dropped, a job lost too often is given up. `lost_by`: the worker that held
        it."""
        try:
            job_id = _text(fields.get(b"job_id"))
            lease = Lease(
                job=unpacked(Job, job_id, fields.get(b"job", b""), self._key),
                entry=entry,
                worker=worker,
                attempt=int(fields.get(b"attempts", b"0")) + delivery,
                delivery=delivery,
                failed_on=frozenset(_text(fields.get(b"failed_on")).split()),
                failing_since=int(fields.get(b"failing_since", b"0")),
                stream=stream,
            )
        except ValueError as problem:
            log.error("dropping entry %s of %s, which is not a job: %s", entry, stream, problem)
            await self._drop(stream, WORKERS, entry)
            return None
        if lease.attempt > ATTEMPTS:
            reason = f"Its worker was lost in the last of {ATTEMPTS} attempts."
            await self._give_up(lease, reason, lost_by)
            return None
        return lease

    def _delivered(self, entry: bytes, times: int, fields: Fields) -> Delivered:
        job_id = _text(fields.get(b"job_id"))
        try:
            outcome = unpacked(Outcome, job_id, fields.get(b"outcome", b""), self._key)
        except BadMessage as problem:
            signed = not isinstance(problem, NotSigned)
            return Delivered(entry, job_id, times, None, str(problem), signed)
        return Delivered(entry, job_id, times, outcome)

    async def _give_up(self, lease: Lease, reason: str, failed: str) -> bool:
        """Reports the job as failed for good, unless other machines may play it. Returns False if
        the lease is lost. `failed`: the worker that failed last."""
        lease = await self._failed(lease, failed)
        if await self._others_may_play(lease):
            return await self._put_again(lease, min(lease.attempt, ATTEMPTS - 1))
        return await self.fail(lease, reason)

    async def _failed(self, lease: Lease, worker: str) -> Lease:
        """Returns the lease with another failure."""
        failed_on = lease.failed_on | {machine_of(worker)}
        since = lease.failing_since or await self._now()
        return replace(lease, failed_on=failed_on, failing_since=since)

    async def _others_may_play(self, lease: Lease) -> bool:
        """True if machines that have not failed on the job may yet take it. A job that has
        failed on ATTEMPTS machines is itself the cause."""
        if len(lease.failed_on) >= ATTEMPTS:
            return False
        if await self._now() > lease.failing_since + LEFT_TO_OTHERS_S:
            return False
        workers = [
            worker
            for stream in (JOBS, ANALYSES)
            for worker in await self._ask(partial(self._redis.xinfo_consumers, stream, WORKERS))
        ]
        alive = {_text(one["name"]) for one in workers if one["idle"] <= self.lease_s * 1000}
        return not lease.failed_on >= {machine_of(name) for name in alive}

    async def _now(self) -> int:
        """Returns the time by the clock of Redis, which all workers share, in seconds since
        1970."""
        seconds, _ = await self._ask(self._redis.time)
        return int(seconds)

    async def _put_again(self, lease: Lease, attempts: int) -> bool:
        job = lease.job
        again = ("job_id", job.job_id, "job", packed(job, self._key), "attempts", attempts)
        failures = ("failed_on", " ".join(lease.failed_on), "failing_since", lease.failing_since)
        return await self._end(lease, lease.stream, *again, *failures)

    async def _end(self, lease: Lease, stream: str, *fields: str | bytes | int) -> bool:
        entry = lease.entry.decode()
        receipt = f"{SETTLED}:{entry}:{lease.delivery}:{lease.worker}"
        keys = [lease.stream, stream, receipt]
        return bool(await self._run(self._settle, keys, *_named(lease), RECEIPT_S, *fields))

    async def _drop(self, stream: str, group: str, entry: bytes) -> None:
        # In one step: an entry on the stream that is not pending would never be delivered again.
        async def both() -> None:
            async with self._redis.pipeline(transaction=True) as commands:
                commands.xack(stream, group, entry)
                commands.xdel(stream, entry)
                await commands.execute()

        await self._ask(both)


def machine_of(worker: str) -> str:
    """Returns the name of a worker's machine."""
    return worker.rpartition("-")[0] or worker


def _named(lease: Lease) -> tuple[str | bytes | int, ...]:
    return WORKERS, lease.worker, lease.entry, lease.delivery


def _is_silence(error: RedisError) -> bool:
    silent = (RedisConnectionError, RedisTimeoutError)  # which errors while connecting are too
    return isinstance(error, silent) and not _is_refusal(error)


def _is_refusal(error: RedisError) -> bool:
    """Returns whether Redis refuses this user."""
    refusals = (AuthenticationError, NoPermissionError)
    # redis-py wraps errors that occur while it connects.
    return isinstance(error, refusals) or isinstance(error.__cause__, refusals)


def _text(value: bytes | None) -> str:
    return (value or b"").decode(errors="replace")
