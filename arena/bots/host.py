"""Runs bots on this machine."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from arena.bots.build import Build
from arena.bots.in_process import BUILTINS, InProcessBot
from arena.bots.interface import ArenaFailure, BotLost, RunningBot
from arena.bots.isolation import Isolation
from arena.bots.limits import UsageWatch, missing_room, usable_place
from arena.bots.local import Access, LocalBot, Output, Runner
from arena.bots.process import BUILD_BOUNDS, BuildBounds, ProcessRunner
from arena.bots.sandbox import (
    Runtime,
    Runtimes,
    missing_for_sandbox,
    python_folder,
    sandbox_launch,
    unsandboxed_launch,
)
from arena.bots.sockets import private_folder
from arena.bots.source import Builtin, Image, Limits, Manifest, Program, Runnable, Source
from arena.bots.watchdog import SandboxWatchdog, Watchdog, mark_of, remove_groups

if TYPE_CHECKING:
    from arena.bots.container import Containers

START_GRACE_S = 20.0
TRIAL_BOT = Program(
    Path(__file__).parent,
    "trial_bot.py",
    Manifest(name="trial", run=("python", "trial_bot.py"), language="python"),
)


class Bot(RunningBot, Protocol):
    """A bot that a host has started. It may be given seats at once, or when it is ready."""

    @property
    def matches_at_once(self) -> int:
        """The number of matches that the bot takes at the same time; known once it is ready."""

    @property
    def memory_share(self) -> float:
        """The share of its memory limit that the bot was last seen to use."""

    @property
    def losses(self) -> Sequence[BotLost]:
        """The losses of its last processes, latest last; not those that the arena ended."""

    async def ready(self) -> BotLost | None:
        """Waits until the bot has said hello. Returns None, or why it did not. Raises
        ArenaFailure."""

    @property
    def memory_bytes(self) -> int:
        """The memory that the bot uses, in bytes."""

    async def freeze(self) -> bool:
        """Stops the bot from running until `thaw`; it must have no seat. Returns False if that is
        not possible."""

    async def thaw(self) -> None:
        """Lets the bot go on."""

    async def stop(self, sentence: str) -> None:
        """Ends the bot, and everything it has started; `sentence` is the reason it is given, unless
        it is frozen."""


class Host:
    """Runs bots for as long as its context lasts. Use it from the main thread's event loop.

    `start_grace`: how many seconds a process may take to say hello.
    `runtimes`: the folders that bots find here, besides the system's programs and the Python for
    bots.
    """

    def __init__(
        self,
        isolation: Isolation = Isolation.BUBBLEWRAP,
        start_grace: float = START_GRACE_S,
        runtimes: Sequence[Runtime] = (),
    ) -> None:
        self._isolation = isolation
        self._named_runtimes = runtimes
        self._start_grace = start_grace
        self._watch = UsageWatch()
        self._bots: set[LocalBot] = set()
        self._containers: Containers | None = None
        self._watchdog: SandboxWatchdog | None = None
        self._groups_watchdog: Watchdog | None = None
        self._watching: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        self._watching = asyncio.create_task(self._watch.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        stops = [bot.stop("The arena is closing.") for bot in self._bots]
        await asyncio.gather(*stops)
        self._watching.cancel()
        if self._containers is not None:
            await self._containers.aclose()
        if self._watchdog is not None:
            self._watchdog.close()
        if self._groups_watchdog is not None:
            self._groups_watchdog.dismiss()

    async def start(
        self,
        source: Source,
        matches_at_once: int | None = None,
        shared_output: Path | None = None,
    ) -> Bot:
        """Starts a bot, without waiting until it is ready.

        `matches_at_once`: how many matches it is offered; None leaves that to its bot.toml, and
        then to the bot.
        `shared_output`: the file for its output, if matches that it plays at once share it.

        Raises ArenaFailure if this machine cannot run it.
        """
        if isinstance(source, Builtin):
            return InProcessBot(BUILTINS[source.name.removeprefix("builtin:")])
        access = Access(
            folder=private_folder(),
            token=secrets.token_urlsafe(24),
            matches_at_once=matches_at_once or source.limits.matches_at_once,
        )
        try:
            runner = await self.runner_for(source, access)
        except ArenaFailure:
            access.folder.rmdir()
            raise
        bot = LocalBot(runner, access, self._start_grace, self._bots.discard, shared_output)
        self._bots.add(bot)
        return bot

    async def try_out(self) -> None:
        """Starts a bot of the arena's own, like any other bot. Raises ArenaFailure if this machine
        cannot run it now."""
        bot = await self.start(TRIAL_BOT)
        try:
            loss = await bot.ready()
        finally:
            await bot.stop("The trial is over.")
        if loss is not None:
            raise ArenaFailure(f"The arena's own bot did not start here: {loss.sentence}")
        if sentence := await asyncio.to_thread(missing_room, Limits().processes):
            raise ArenaFailure(sentence)

    async def runner_for(self, source: Runnable, access: Access) -> Runner:
        """Returns the way to run a bot that reaches the arena by `access`. Raises ArenaFailure."""
        if isinstance(source, Image):
            return await self._container_runner_for(source, access)
        runtimes = self._runtimes()
        if await self._has_sandbox():
            launch = sandbox_launch(source, runtimes, access, self._sandbox_watchdog())
        else:
            launch = unsandboxed_launch(source, runtimes, access)
        self._watch_groups()
        return ProcessRunner(launch, source.manifest.limits, self._watch)

    async def _container_runner_for(self, image: Image, access: Access) -> Runner:
        # The engine's client takes a while to import.
        from arena.bots.container import Containers

        if self._containers is None:
            self._containers = Containers()
        return await self._containers.runner_for(image, access)

    async def build(
        self,
        program: Program,
        into: Path,
        bounds: BuildBounds = BUILD_BOUNDS,
        output: Output | None = None,
    ) -> str:
        """Runs the bot's build on a copy of its files; returns the last part of its output.

        `into`: an empty folder for the files that it leaves. `output`: receives what it prints,
        while it runs. Raises BuildFailed, and ArenaFailure if this machine cannot run the build.
        """
        runtimes = self._runtimes()
        build = Build(program, runtimes, self._watch, bounds, output or Output())
        if await self._has_sandbox():
            return await build.in_sandbox(into, self._sandbox_watchdog())
        return await build.without_sandbox(into)

    async def _has_sandbox(self) -> bool:
        """True if bots run in a sandbox. Raises ArenaFailure if they should, but cannot."""
        if self._isolation is Isolation.NONE:
            return False
        if missing := await asyncio.to_thread(missing_for_sandbox):
            missing_for_sandbox.cache_clear()  # it may be there when it is next asked for
            raise ArenaFailure(missing)
        return True

    def _sandbox_watchdog(self) -> SandboxWatchdog:
        """Returns the watchdog, which is started before the first sandbox. Raises ArenaFailure."""
        if self._watchdog is None:
            self._watchdog = SandboxWatchdog()
        return self._watchdog

    def _watch_groups(self) -> None:
        """Starts the watchdog of the control groups before the first of them. Raises
        ArenaFailure."""
        if self._groups_watchdog is None and (place := usable_place()) is not None:
            mark, folder = mark_of(os.getpid()), os.fspath(place.folder)
            self._groups_watchdog = Watchdog(remove_groups, mark, folder)

    def _runtimes(self) -> Runtimes:
        try:
            return Runtimes(python_folder(), self._named_runtimes)
        except FileNotFoundError as error:
            raise ArenaFailure(str(error)) from error
