"""Bot processes, kept warm between matches.

One process serves at most one seat of a match, and one match of a deal set at a time. It is
replaced after 50 matches or at half of its memory limit, and whenever it was at fault. On a ladder
with many bots most processes would sit idle, so beyond a few dozen the least recently used one
ends.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from arena.bots import Bot

MATCHES_A_PROCESS = 50
IDLE_PROCESSES = 32
DONE = "The match is over, and this process is no longer needed."
MEMORY_SHARE = 0.5  # share of the limit above which an idle process is not reused


@dataclass(eq=False)
class Borrowed:
    """A process in use. `faulted`: it was at fault and must not be used again."""

    process: Bot
    version: str
    matches: int = 0
    faulted: bool = False


class Pool:
    """The bot processes of one worker. `start`: starts a process of a version (a content
    digest)."""

    def __init__(self, start: Callable[[str], Awaitable[Bot]]) -> None:
        self._start = start
        self._idle: list[Borrowed] = []  # most recently used last
        self._lent: Counter[str] = Counter()

    @property
    def versions(self) -> set[str]:
        """Returns the versions that have processes now, or are about to."""
        return {*+self._lent, *(borrowed.version for borrowed in self._idle)}

    @asynccontextmanager
    async def lend(self, version: str, *, fresh: bool) -> AsyncIterator[Borrowed]:
        """Lends a process for as long as the context lasts; `fresh`: one that has played
        nothing."""
        with self._counted(version):
            borrowed = None if fresh else self._waiting(version)
            if borrowed is None:
                borrowed = Borrowed(await self._start(version), version)
            try:
                yield borrowed
            except BaseException:
                borrowed.faulted = True  # it was interrupted at an unknown point
                raise
            finally:
                await self._take_back(borrowed, fresh)

    async def close(self) -> None:
        """Ends all idle processes."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(borrowed.process.stop(DONE) for borrowed in idle))

    @contextmanager
    def _counted(self, version: str) -> Iterator[None]:
        self._lent[version] += 1
        try:
            yield
        finally:
            self._lent[version] -= 1

    def _waiting(self, version: str) -> Borrowed | None:
        for borrowed in reversed(self._idle):
            if borrowed.version == version:
                self._idle.remove(borrowed)
                return borrowed
        return None

    async def _take_back(self, borrowed: Borrowed, fresh: bool) -> None:
        worn = borrowed.matches >= MATCHES_A_PROCESS
        if fresh or borrowed.faulted or worn or borrowed.process.memory_share > MEMORY_SHARE:
            await borrowed.process.stop(DONE)
            return
        self._idle.append(borrowed)
        if len(self._idle) > IDLE_PROCESSES:
            await self._idle.pop(0).process.stop(DONE)
