"""Queues that tests open, and what happens to them in Redis."""

from collections.abc import Callable
from typing import Any

import redis

from arena.queue.keys import JOBS, WORKERS
from arena.queue.redis_queue import Queue
from tests.support.seats import until

LEASE_S = 60.0  # no lease lapses by itself, however busy the machine is

OpenQueue = Callable[..., Queue]


def leases(raw: redis.Redis, stream: str = JOBS) -> list[dict[str, Any]]:
    """Returns all leases; `time_since_delivered`: their age in milliseconds."""
    return raw.xpending_range(stream, WORKERS, "-", "+", 1_000)


def age_leases(raw: redis.Redis, seconds: float = LEASE_S, stream: str = JOBS) -> None:
    """Makes all leases older, by the clock of Redis. By default they have lapsed then."""
    for held in leases(raw, stream):
        raw.xclaim(
            *(stream, WORKERS, held["consumer"], 0, [held["message_id"]]),
            idle=held["time_since_delivered"] + int(seconds * 1_000),
            retrycount=held["times_delivered"],
            justid=True,
        )


async def until_renewed(raw: redis.Redis) -> None:
    """Waits until the workers have renewed all leases."""
    half_ms = LEASE_S / 2 * 1_000
    age_leases(raw, LEASE_S / 2)
    await until(lambda: all(one["time_since_delivered"] < half_ms for one in leases(raw)))


async def until_waiting(raw: redis.Redis, clients: int = 1) -> None:
    """Waits until so many clients wait for something on a stream."""
    await until(lambda: sum("b" in one["flags"] for one in raw.client_list()) == clients)
