"""The clock of a process that hosts matches. It watches deadlines and measures the lag of the
event loop, so that only the bot that caused the lag is charged for it."""

from __future__ import annotations

import asyncio
import gc
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from arena.clock import monotonic

PERIOD_S = 0.005
LAG_WORTH_NOTING_S = 0.001
PERIODS_BETWEEN_SWEEPS = 4
STALLS_KEPT = 20_000  # at one per period, a hundred seconds of a loop that never keeps up
# The new objects that trigger a collection, and the collections that trigger one of the next older
# generation. Most memory is freed without a collection, and a full one stops all matches for tens
# of milliseconds.
RARE_COLLECTIONS = (20_000, 5, 5)


class Watched(Protocol):
    """Something with deadlines."""

    def check_deadlines(self, now: float) -> None:
        """Called every 20 ms with the time in seconds of `arena.clock`."""


class Timekeeper:
    """Runs alongside the matches of one event loop. All times are seconds of `arena.clock`."""

    def __init__(self) -> None:
        self._watched: set[Watched] = set()
        self._stalls = Stalls()

    async def run(self) -> None:
        """Keeps time until cancelled."""
        with _rare_collections():
            periods = 0
            while True:
                due = monotonic() + PERIOD_S
                await asyncio.sleep(PERIOD_S)
                now = monotonic()
                if now - due > LAG_WORTH_NOTING_S:
                    self._stalls.add(due, now)
                periods += 1
                if periods % PERIODS_BETWEEN_SWEEPS == 0:
                    for watched in tuple(self._watched):
                        watched.check_deadlines(now)

    @contextmanager
    def watching(self, watched: Watched) -> Iterator[None]:
        """Checks the deadlines of `watched` for as long as the context lasts."""
        self._watched.add(watched)
        try:
            yield
        finally:
            self._watched.discard(watched)

    def charged_ms(self, since: float, until: float, own_s: float = 0.0) -> int:
        """Returns the whole milliseconds from `since` to `until`, less the lag of the loop. The
        bot caused `own_s` seconds of that lag and is charged for them."""
        lag = 0.0
        for start, end in self._stalls.latest_first():
            if end <= since:
                break
            lag += max(0.0, min(end, until) - max(start, since))
        excused = max(0.0, lag - max(0.0, own_s))
        return max(0, int((until - since - excused) * 1000))


class Stalls:
    """The latest STALLS_KEPT stalls of an event loop. They take a third of a megabyte from the
    beginning; tuples would grow to eight times as much, over hours."""

    def __init__(self) -> None:
        self._starts = array("d", bytes(8 * STALLS_KEPT))
        self._ends = array("d", bytes(8 * STALLS_KEPT))
        self._count = 0

    def add(self, start: float, end: float) -> None:
        place = self._count % STALLS_KEPT
        self._starts[place], self._ends[place] = start, end
        self._count += 1

    def latest_first(self) -> Iterator[tuple[float, float]]:
        """Yields the start and the end of each."""
        for number in range(self._count - 1, max(-1, self._count - STALLS_KEPT - 1), -1):
            place = number % STALLS_KEPT
            yield self._starts[place], self._ends[place]


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Makes garbage collections rare while the context lasts, and exempts objects that existed
    before, above all the modules.

    If objects were exempt already, all stay so, since the process is a command that will end: the
    search for cycles among all modules at its end takes most of a second of CPU.
    """
    before, exempt = gc.get_threshold(), gc.get_freeze_count()
    gc.freeze()
    gc.set_threshold(*RARE_COLLECTIONS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not exempt:
            gc.unfreeze()
