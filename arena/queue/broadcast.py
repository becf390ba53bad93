"""Carries matches in play to their watchers.

A watcher sets a flag that expires; while it is set, the worker that plays the job writes the whole
state of the match each time. So matches without watchers cost nothing, the state expires soon after
the last watcher has left, and late watchers need no earlier message. The broadcast has its own
connection and does not retry: watchers never delay a match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from redis.asyncio.client import Pipeline
from redis.exceptions import RedisError

from arena.queue.cancellation import cancellations, raise_swallowed
from arena.queue.codec import BadMessage, packed, unpacked
from arena.queue.keys import BROADCAST, JOBS, WATCHED, WORKERS
from arena.queue.live_match import LiveMatch
from arena.queue.redis_address import check_address, close, opened, without_password

ANSWER_WITHIN_S = 2.0
FLAG_S = 10  # of a watched job's flag; watchers renew it every second
KEPT_MS = 60_000
LIMIT_BYTES = 512 * 1024  # of a match, packed; a longer one is not broadcast further
MOST_IN_PLAY = 200  # jobs that are listed


class BroadcastFailed(Exception):
    """Redis does not answer as it should. The text is for a log."""


@dataclass(frozen=True)
class Seen:
    """The state of a match that its worker wrote `passed_ms` ago, by the clock of Redis."""

    match: LiveMatch
    passed_ms: int


class Broadcast:
    """Matches in play, on the Redis server at an address. `key`: signs them; messages without its
    signature are ignored.

    Every method raises BroadcastFailed. Raises ArenaError for a wrong address.
    """

    def __init__(self, url: str, key: bytes) -> None:
        check_address(url)
        self.url = url
        self._key = key
        self._redis = opened(url, ANSWER_WITHIN_S)

    async def __aenter__(self) -> Broadcast:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await close(self._redis)

    # The worker's side ----------------------------------------------------------------------------

    async def watched(self, jobs: Collection[str]) -> set[str]:
        """Returns the jobs that have watchers."""
        flags = await self._answers(lambda ask: [ask.exists(f"{WATCHED}:{job}") for job in jobs])
        return {job for job, flag in zip(jobs, flags, strict=True) if flag}

    async def write(self, match: LiveMatch) -> bool:
        """Writes the state of a match. Returns False if it has become too long to be broadcast."""
        data = packed(match, self._key)
        if len(data) > LIMIT_BYTES:
            return False
        await self._answers(lambda ask: ask.set(f"{BROADCAST}:{match.job_id}", data, px=KEPT_MS))
        return True

    # The watcher's side ---------------------------------------------------------------------------

    async def watch(self, job: str) -> Seen | None:
        """Asks for a job to be broadcast for some seconds, and returns the state of its match;
        None if no worker has written it."""
        value = f"{BROADCAST}:{job}"

        def look(ask: Pipeline) -> None:
            ask.set(f"{WATCHED}:{job}", "", ex=FLAG_S)
            ask.getrange(value, 0, LIMIT_BYTES - 1)
            ask.pttl(value)

        _, data, left_ms = await self._answers(look)
        try:
            match = unpacked(LiveMatch, job, data, self._key)
        except BadMessage:  # the same as no message
            return None
        return Seen(match, max(0, KEPT_MS - left_ms))

    async def in_play(self) -> set[str]:
        """Returns the jobs that workers have taken, the oldest MOST_IN_PLAY of them."""
        [taken] = await self._answers(
            lambda ask: ask.xpending_range(JOBS, WORKERS, "-", "+", MOST_IN_PLAY)
        )
        ids = [one["message_id"] for one in taken]
        found = await self._answers(lambda ask: [ask.xrange(JOBS, one, one) for one in ids])
        entries = [fields for entry in found for _, fields in entry]
        return {fields.get(b"job_id", b"").decode(errors="replace") for fields in entries}

    async def _answers(self, ask: Callable[[Pipeline], object]) -> list[Any]:
        """Returns the answers to the commands of `ask`, executed in one step."""
        before = cancellations()
        try:
            async with asyncio.timeout(2 * ANSWER_WITHIN_S), self._redis.pipeline() as pipeline:
                ask(pipeline)
                return list(await pipeline.execute())
        except (RedisError, OSError, TimeoutError) as error:
            place, cause = without_password(self.url), str(error) or type(error).__name__
            raise BroadcastFailed(
                f"Redis at {place} does not answer as it should: {cause}."
            ) from None
        finally:
            raise_swallowed(before)
