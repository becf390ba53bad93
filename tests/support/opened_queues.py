"""Queues that tests open."""

from collections.abc import Callable

from arena.queue.redis_queue import Queue

LEASE_S = 0.5

OpenQueue = Callable[..., Queue]
