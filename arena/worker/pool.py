"""Bot processes, kept warm between matches.

One process serves at most one seat of a match, and one match of a deal set at a time. A process is
replaced after 50 matches or at half of its memory limit, and whenever it was at fault.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from arena.bots.host import Bot

MATCHES_A_PROCESS = 50
DONE = "The match is over, and this process is not needed any more."
MEMORY_SHARE = 0.5  # of its limit, beyond which an idle process is not used again


@dataclass(eq=False)
class Borrowed:
    """A process in use. `spoiled`: it must not be used again (it was at fault)."""

    process: Bot
    version: str
    matches: int = 0
    spoiled: bool = False


class Pool:
    """The bot processes of one worker. `start` makes a process of a version (a content digest)."""

    def __init__(self, start: Callable[[str], Awaitable[Bot]]) -> None:
        self._start = start
        self._idle: defaultdict[str, list[Borrowed]] = defaultdict(list)

    @asynccontextmanager
    async def lend(self, version: str, *, fresh: bool) -> AsyncIterator[Borrowed]:
        """A process for as long as the context lasts; `fresh`: one that has played nothing."""
        idle = self._idle[version]
        if idle and not fresh:
            borrowed = idle.pop()
        else:
            borrowed = Borrowed(await self._start(version), version)
        try:
            yield borrowed
        except BaseException:
            borrowed.spoiled = True  # who knows in the middle of what it was
            raise
        finally:
            await self._take_back(borrowed, fresh)

    async def close(self) -> None:
        """Ends all idle processes."""
        idle = [borrowed for waiting in self._idle.values() for borrowed in waiting]
        self._idle.clear()
        await asyncio.gather(*(borrowed.process.stop(DONE) for borrowed in idle))

    async def _take_back(self, borrowed: Borrowed, fresh: bool) -> None:
        worn = borrowed.matches >= MATCHES_A_PROCESS
        if fresh or borrowed.spoiled or worn or borrowed.process.memory_share > MEMORY_SHARE:
            await borrowed.process.stop(DONE)
        else:
            self._idle[borrowed.version].append(borrowed)
