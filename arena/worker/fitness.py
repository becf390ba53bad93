"""The fitness of a machine to play, proven by a trial process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from arena.bots import ArenaFailure

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0  # between two trials of a machine that cannot play

Trial = Callable[[], Awaitable[None]]
"""Runs a process like those of bots. Raises ArenaFailure if this machine cannot."""


class Fitness:
    """The fitness of one machine, which is in doubt at first and after every failure on it."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._proven = False
        self._complaint = ""
        self._trying = asyncio.Lock()

    def doubt(self) -> None:
        """Notes a failure that may be the machine's fault: fitness has to be proven again."""
        self._proven = False

    async def proven(self) -> bool:
        """True if the machine can play; starts a trial if that is in doubt."""
        async with self._trying:
            if not self._proven:
                self._proven = await self._try()
        return self._proven

    async def vouch(self) -> None:
        """Runs a trial. Raises ArenaFailure if the machine cannot play."""
        self.doubt()
        if not await self.proven():
            raise ArenaFailure(self._complaint)

    async def wait(self, stopping: asyncio.Event) -> None:
        """Waits until the machine can play, or until `stopping`."""
        pause_s = FIRST_PAUSE_S
        while not stopping.is_set() and not await self.proven():
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await stopping.wait()
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _try(self) -> bool:
        try:
            await self._trial()
        except ArenaFailure as failure:
            if str(failure) != self._complaint:  # repeated until it succeeds
                log.error("this machine cannot play, and takes no jobs until it can: %s", failure)
            self._complaint = str(failure)
            return False
        if self._complaint:
            log.info("this machine can play again")
        self._complaint = ""
        return True
