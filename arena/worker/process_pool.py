"""Bot processes, kept warm between matches.

One process serves at most one seat of a match, and one match of a deal set at a time. It is
replaced after 50 matches, at half of its memory limit, and after a fault. Between matches it is
frozen, so that no bot can use other bots' CPU time; if freezing is not possible, it ends. On a
ladder with many bots most processes would be idle, so beyond a few dozen, or 1 GiB of memory in
total, the least recently used one ends.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from arena.bots import Bot, RunningBot

B_co = TypeVar("B_co", bound=RunningBot, covariant=True)

MATCHES_A_PROCESS = 50
IDLE_PROCESSES = 32
IDLE_MEMORY_BYTES = 1 << 30
DONE = "The match is over; this process is no longer needed."
MEMORY_SHARE = 0.5  # share of the limit above which an idle process is not reused


@dataclass(eq=False)
class Borrowed(Generic[B_co]):
    """A process in use, or idle.

    `faulted`: it was at fault and must not be used again.
    `memory_bytes`: its memory when it became idle and was frozen.
    """

    process: B_co
    version: str
    matches: int = 0
    faulted: bool = False
    memory_bytes: int = field(default=0, kw_only=True)


class Pool:
    """The bot processes of one worker. `start`: starts a process of a version (a content
    digest)."""

    def __init__(self, start: Callable[[str], Awaitable[Bot]]) -> None:
        self._start = start
        self._idle: list[Borrowed[Bot]] = []  # most recently used last
        self._lent: Counter[str] = Counter()

    @property
    def versions(self) -> set[str]:
        """Returns the versions that have processes or are about to get one."""
        return {*+self._lent, *self.idle_versions}

    @asynccontextmanager
    async def lend(self, version: str, *, fresh: bool) -> AsyncIterator[Borrowed[Bot]]:
        """Lends a process while the context lasts; `fresh`: one that has played nothing."""
        with self._counted(version):
            borrowed = None if fresh else self._waiting(version)
            idle = borrowed is not None
            if borrowed is None:
                borrowed = Borrowed(await self._start(version), version)
            try:
                if idle:
                    await borrowed.process.thaw()
                yield borrowed
            except BaseException:
                borrowed.faulted = True  # it was interrupted at an unknown point
                raise
            finally:
                await self._take_back(borrowed, fresh)

    @property
    def idle_versions(self) -> set[str]:
        """Returns the versions that have idle processes."""
        return {borrowed.version for borrowed in self._idle}

    async def close(self) -> None:
        """Ends all idle processes."""
        await self.end(self.idle_versions)

    async def end(self, versions: Collection[str]) -> None:
        """Ends the idle processes of these versions."""
        ended = [borrowed for borrowed in self._idle if borrowed.version in versions]
        self._idle = [borrowed for borrowed in self._idle if borrowed.version not in versions]
        await asyncio.gather(*(borrowed.process.stop(DONE) for borrowed in ended))

    @contextmanager
    def _counted(self, version: str) -> Iterator[None]:
        self._lent[version] += 1
        try:
            yield
        finally:
            self._lent[version] -= 1

    def _waiting(self, version: str) -> Borrowed[Bot] | None:
        for borrowed in reversed(self._idle):
            if borrowed.version == version:
                self._idle.remove(borrowed)
                return borrowed
        return None

    async def _take_back(self, borrowed: Borrowed[Bot], fresh: bool) -> None:
        if fresh or _is_worn(borrowed) or not await borrowed.process.freeze():
            await borrowed.process.stop(DONE)
            return
        borrowed.memory_bytes = borrowed.process.memory_bytes
        self._idle.append(borrowed)
        while self._idle and self._exceeds_its_bounds():
            await self._idle.pop(0).process.stop(DONE)

    def _exceeds_its_bounds(self) -> bool:
        memory_bytes = sum(borrowed.memory_bytes for borrowed in self._idle)
        return len(self._idle) > IDLE_PROCESSES or memory_bytes > IDLE_MEMORY_BYTES


def _is_worn(borrowed: Borrowed[Bot]) -> bool:
    worn = borrowed.matches >= MATCHES_A_PROCESS
    return borrowed.faulted or worn or borrowed.process.memory_share > MEMORY_SHARE
