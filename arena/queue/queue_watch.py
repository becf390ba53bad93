"""Looks at the queue from outside: its length, and who works on it.

A look has a connection of its own and does not retry: a queue that does not answer is a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from typing import Any

from redis.exceptions import RedisError

from arena.queue.cancellation import cancellations, raise_swallowed
from arena.queue.codec import BadMessage, unpacked
from arena.queue.keys import ANALYSES, JOBS, REPORTS, RESULTS, WORKERS
from arena.queue.redis_address import close, opened
from arena.queue.redis_queue import LEASE_S
from arena.queue.worker_report import LIMIT_BYTES, WorkerReport

ANSWER_WITHIN_S = 1.5


class QueueSilent(Exception):
    """Redis does not answer as it should. Its text is a sentence for everybody."""


@dataclass(frozen=True)
class WorkerAtQueue:
    """A worker that has asked for jobs lately.

    `jobs`: how many it has taken and not finished.
    `silent_s`: the time since it last called, in seconds.
    """

    name: str
    jobs: int
    silent_s: float


@dataclass(frozen=True)
class QueueState:
    """The state of the queue.

    `waiting`: jobs that no worker has taken.
    `oldest_s`: how long the oldest of them has waited, in seconds; 0 if there is none.
    `in_play`: jobs that workers have taken.
    `analyses`: matches that are to be analysed, or are being analysed.
    `results`: outcomes that wait to be recorded.
    `workers`: those whose leases would not have lapsed.
    """

    waiting: int
    oldest_s: float
    in_play: int
    analyses: int
    results: int
    workers: tuple[WorkerAtQueue, ...]


class QueueWatch:
    """Looks at the queue of a Redis address."""

    def __init__(self, url: str) -> None:
        self._redis = opened(url, ANSWER_WITHIN_S)

    async def close(self) -> None:
        """Closes the connections."""
        await close(self._redis)

    async def look(self) -> QueueState:
        """Returns the present state. Raises QueueSilent."""
        with _silence_raised():
            return await self._look()

    async def reports(self, key: bytes) -> tuple[WorkerReport, ...]:
        """Returns the reports of workers, by name, that carry the signature of `key`. Raises
        QueueSilent."""
        with _silence_raised():
            consumers = await self._redis.xinfo_consumers(JOBS, WORKERS)
            names = sorted(one["name"].decode(errors="replace") for one in consumers)
            async with self._redis.pipeline(transaction=False) as ask:
                for name in names:
                    ask.getrange(f"{REPORTS}:{name}", 0, LIMIT_BYTES - 1)
                found = await ask.execute() if names else []
        return tuple(_true_reports(zip(names, found, strict=True), key))

    async def _look(self) -> QueueState:
        async with self._redis.pipeline(transaction=False) as ask:
            ask.xinfo_groups(JOBS)
            ask.xinfo_consumers(JOBS, WORKERS)
            ask.xinfo_consumers(ANALYSES, WORKERS)
            ask.xlen(JOBS)
            ask.xlen(ANALYSES)
            ask.xlen(RESULTS)
            ask.time()
            groups, playing, analysing, *lengths, (now_s, _) = await ask.execute()
        jobs, analyses, results = map(int, lengths)
        [group] = [one for one in groups if one["name"] == WORKERS.encode()]
        taken = int(group["pending"])
        first = await self._redis.xrange(
            JOBS, f"({group['last-delivered-id'].decode()}", "+", count=1
        )
        return QueueState(
            waiting=max(0, jobs - taken),
            oldest_s=max(0.0, now_s - _put_at(first[0][0])) if first else 0.0,
            in_play=taken,
            analyses=analyses,
            results=results,
            workers=tuple(_workers([*playing, *analysing])),
        )


@contextmanager
def _silence_raised() -> Iterator[None]:
    before = cancellations()
    try:
        yield
    except (RedisError, OSError):
        raise QueueSilent(
            f"The queue does not answer as it should within {ANSWER_WITHIN_S:g} seconds."
        ) from None
    finally:
        raise_swallowed(before)


def _true_reports(found: Iterable[tuple[str, bytes]], key: bytes) -> Iterator[WorkerReport]:
    for name, data in found:
        with suppress(BadMessage):  # the same as no report
            yield unpacked(WorkerReport, name, data, key)


def _put_at(entry: Any) -> float:
    """Returns the time at which an entry was put on its stream, in seconds since 1970."""
    return int(entry.partition(b"-")[0]) / 1000


def _workers(consumers: Iterable[dict[str, Any]]) -> Iterator[WorkerAtQueue]:
    """Returns the workers of both streams: one that analyses does not ask for matches meanwhile."""
    found: dict[str, WorkerAtQueue] = {}
    for one in consumers:
        name = one["name"].decode()
        known = found.get(name, WorkerAtQueue(name, 0, inf))
        found[name] = WorkerAtQueue(
            name, known.jobs + int(one["pending"]), min(known.silent_s, one["idle"] / 1000)
        )
    return (one for one in found.values() if one.silent_s <= LEASE_S)
