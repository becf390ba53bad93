"""Runs bots on this machine: the one thing that workers and commands need of this package."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from arena.bots.in_process import BUILTINS, InProcessBot
from arena.bots.interface import ArenaFailure, BotLost, RunningBot
from arena.bots.limits.sampling import UsageWatch
from arena.bots.local.bot import LocalBot
from arena.bots.local.runner import Runner
from arena.bots.process.build import BUILD_BOUNDS, BuildBounds, run_build
from arena.bots.process.launch import Access, Isolation
from arena.bots.process.runner import ProcessRunner
from arena.bots.sandbox.bubblewrap import missing_for_sandbox, sandbox_build, sandbox_launch
from arena.bots.sandbox.none import plain_build, plain_launch
from arena.bots.sandbox.python_runtime import python_runtime
from arena.bots.sandbox.runtimes import Runtime, Runtimes
from arena.bots.sockets import private_folder
from arena.bots.source.image import Image
from arena.bots.source.program import Builtin, Program, Runnable, Source
from arena.bots.watchdog.tether import Tether

if TYPE_CHECKING:
    from arena.bots.container.containers import Containers

START_GRACE_S = 20.0


class Bot(RunningBot, Protocol):
    """A bot that a host has started. It may be told to sit down at once, or when it is ready."""

    @property
    def matches_at_once(self) -> int:
        """How many matches the bot takes at the same time; known once it is ready."""

    @property
    def memory_share(self) -> float:
        """How much memory the bot was last seen to use, as a share of its limit."""

    @property
    def losses(self) -> Sequence[BotLost]:
        """Why its last processes were lost, the latest last; not those that the arena ended."""

    async def ready(self) -> BotLost | None:
        """Waits until the bot has said hello; returns why it did not, or None. Raises
        ArenaFailure."""

    async def stop(self, sentence: str) -> None:
        """Lets the bot finish what it does, tells it why, and ends it. Nothing is left running."""


class Host:
    """Runs bots as long as its context lasts. To be used from the main thread's event loop.

    `start_grace`: how many seconds a process may take to say hello. `runtimes`: what bots find
    here beside the system's programs and the Python for bots.
    """

    def __init__(
        self,
        isolation: Isolation = Isolation.BUBBLEWRAP,
        start_grace: float = START_GRACE_S,
        runtimes: Sequence[Runtime] = (),
    ) -> None:
        self._isolation = isolation
        self._named = runtimes
        self._start_grace = start_grace
        self._watch = UsageWatch()
        self._bots: set[LocalBot] = set()
        self._containers: Containers | None = None
        self._tether: Tether | None = None
        self._engine_in_use = asyncio.Lock()
        self._watching: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        self._watching = asyncio.create_task(self._watch.run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        stops = [bot.stop("The arena is closing.") for bot in self._bots]
        await asyncio.gather(*stops)
        self._watching.cancel()
        if self._containers is not None:
            self._containers.close()
        if self._tether is not None:
            self._tether.close()

    async def start(self, source: Source, matches_at_once: int | None = None) -> Bot:
        """Starts a bot, and does not wait until it is ready.

        `matches_at_once`: how many matches it is offered; None leaves that to its bot.toml, and
        then to the bot. Raises ArenaFailure if this machine cannot run it.
        """
        if isinstance(source, Builtin):
            return InProcessBot(BUILTINS[source.name.removeprefix("builtin:")])
        access = Access(
            folder=private_folder(),
            token=secrets.token_urlsafe(24),
            matches_at_once=matches_at_once or source.limits.matches_at_once,
        )
        try:
            way = await self.way_to(source, access)
        except ArenaFailure:
            access.folder.rmdir()
            raise
        bot = LocalBot(way, access, self._start_grace, self._bots.discard)
        self._bots.add(bot)
        return bot

    async def way_to(self, source: Runnable, access: Access) -> Runner:
        """How to run a bot that reaches the arena by `access`. Raises ArenaFailure."""
        if isinstance(source, Image):
            return await self._way_to_image(source, access)
        runtimes = self._runtimes()
        if await self._plainly():
            launch = plain_launch(source, runtimes, access)
        else:
            launch = sandbox_launch(source, runtimes, access, self._tied())
        return ProcessRunner(launch, source.manifest.limits, self._watch)

    async def _way_to_image(self, image: Image, access: Access) -> Runner:
        # The engine's client takes a while to import.
        from arena.bots.container.containers import Containers

        async with self._engine_in_use:
            if self._containers is None:
                self._containers = Containers()
            return await asyncio.to_thread(self._containers.way_to, image, access)

    async def build(
        self, program: Program, scratch: Path, bounds: BuildBounds = BUILD_BOUNDS
    ) -> str:
        """Runs the bot's build in its folder, which it may write to; returns the last it printed.

        `scratch`: an empty folder for what it needs for a while. Raises BuildFailed, and
        ArenaFailure if this machine cannot run it.
        """
        runtimes = self._runtimes()
        if await self._plainly():
            launch = plain_build(program, runtimes, scratch)
        else:
            launch = sandbox_build(program, runtimes, scratch, self._tied())
        places = (program.folder, scratch)
        return await run_build(launch, places, self._watch, bounds, runtimes.told())

    async def _plainly(self) -> bool:
        """Whether bots run without a sandbox. Raises ArenaFailure if there is none to run in."""
        if self._isolation is Isolation.NONE:
            return True
        if missing := await asyncio.to_thread(missing_for_sandbox):
            raise ArenaFailure(missing)
        return False

    def _tied(self) -> Tether:
        """What sandboxes are tied to, made for the first of them. Raises ArenaFailure."""
        if self._tether is None:
            self._tether = Tether()
        return self._tether

    def _runtimes(self) -> Runtimes:
        try:
            return Runtimes(python_runtime(), self._named)
        except FileNotFoundError as error:
            raise ArenaFailure(str(error)) from error
