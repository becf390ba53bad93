"""A clock that tests set by hand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


class StoppedClock:
    """The time of a test's event loop. It stands still unless the test advances it; messages,
    threads and processes are real, and take none of it."""

    def __init__(self, loop: Any) -> None:
        self._loop = loop
        self._now: float = loop.time()

    def time(self) -> float:
        return self._now

    def stall(self, seconds: float) -> None:
        """Lets time pass in which the loop is held up."""
        self._now += seconds

    async def advance(self, seconds: float) -> None:
        """Lets time pass: whatever becomes due in it happens in order, each at its time."""
        until = self._now + seconds
        await self.settle()
        while self._next_alarm() <= until:
            await self._go_on()
        self._now = max(self._now, until)

    async def settle(self) -> None:
        """Lets tasks run until they all wait for time, messages, threads or processes."""
        await asyncio.sleep(0)
        while self._loop._ready:
            await asyncio.sleep(0)

    async def through(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns the result of work that waits only for time, which passes as needed."""
        task = asyncio.create_task(work)
        await self.settle()
        while not task.done():
            assert self._next_alarm() < inf, "it waits for something that never happens"
            await self._go_on()
        return task.result()

    async def until(self, holds: Callable[[], object]) -> None:
        """Polls, in real time, until messages, threads or processes make a condition hold."""
        while not holds():
            await asyncio.to_thread(time.sleep, 0.002)

    async def until_alarm(self, seconds: float) -> None:
        """Waits until something is to happen that many seconds from now: whatever does so at
        intervals has finished its last round."""
        await self.until(lambda: any(abs(at - self._now - seconds) < 1e-6 for at in self._alarms()))

    async def _go_on(self) -> None:
        self._now = max(self._now, self._next_alarm())
        await self.settle()

    def _next_alarm(self) -> float:
        return min(self._alarms(), default=inf)

    def _alarms(self) -> Iterator[float]:
        return (timer.when() for timer in self._loop._scheduled if not timer.cancelled())


@contextmanager
def stopped_clock() -> Iterator[StoppedClock]:
    """Stops the clock of the running event loop for as long as the context lasts."""
    loop = asyncio.get_running_loop()
    with pytest.MonkeyPatch.context() as patch:
        clock = StoppedClock(loop)
        patch.setattr(loop, "time", clock.time)
        yield clock


@pytest.fixture
async def clock() -> AsyncIterator[StoppedClock]:
    with stopped_clock() as clock:
        yield clock


async def without_waiting(work: Coroutine[Any, Any, T]) -> T:
    """Returns the result of work that waits only for time, as soon as it can be computed."""
    with stopped_clock() as clock:
        return await clock.through(work)


def use_processor(seconds: float) -> None:
    """Uses so much processor time; other processes that can run get some as well meanwhile."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
