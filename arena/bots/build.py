"""Builds a bot: runs its build on a copy of its files, and takes the files that it leaves."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.limits import UsageWatch
from arena.bots.local import Output
from arena.bots.process import BuildBounds, BuildFailed, Launch, run_build
from arena.bots.sandbox import Runtimes, sandbox_build, unsandboxed_build
from arena.bots.source import (
    ContentError,
    Program,
    copy_files,
    list_content,
    temporary_folder,
    unpack_tar,
)
from arena.bots.watchdog import SandboxWatchdog


@dataclass(frozen=True)
class Build:
    """A build of a bot, to be run once. Both ways return the last part of its output, and raise
    BuildFailed and ArenaFailure.

    `output`: receives what it prints, while it runs.
    """

    program: Program
    runtimes: Runtimes
    watch: UsageWatch
    bounds: BuildBounds
    output: Output

    async def in_sandbox(self, into: Path, watchdog: SandboxWatchdog) -> str:
        """Runs it in a sandbox, on a disk of its own. What it leaves arrives through a pipe, and is
        unpacked like the archive of a stranger."""
        reading, writing = os.pipe()
        launch = sandbox_build(self.program, self.runtimes, self.bounds, writing, watchdog)
        # A thread of its own, because it waits for as long as the build takes.
        with ThreadPoolExecutor(1, "build") as thread:
            unpacked = asyncio.wrap_future(thread.submit(_unpack, reading, into))
            try:
                printed = await self._run(launch)
            finally:
                os.close(writing)  # no process of the build is left: here the archive ends
                await asyncio.wait((unpacked,))
                problem = unpacked.exception()
        if isinstance(problem, OSError):
            raise ArenaFailure(f"The result of a build cannot be stored: {problem.strerror}.")
        if problem is not None:
            raise _not_storable(problem, printed) from None
        return printed

    async def without_sandbox(self, into: Path) -> str:
        """Runs it without a sandbox. Its use of the disk is not limited."""
        with temporary_folder(into.parent, "building-") as place:
            folder, scratch = place / "bot", place / "tmp"
            scratch.mkdir()
            await asyncio.to_thread(copy_files, self.program.content(), folder)
            copy = replace(self.program, folder=folder)
            printed = await self._run(unsandboxed_build(copy, self.runtimes, scratch))
            try:
                await asyncio.to_thread(lambda: copy_files(list_content(folder), into))
            except ContentError as problem:
                sentence = str(problem).replace(f"{folder}/", "").replace(f"{folder}", "The folder")
                raise _not_storable(sentence, printed) from None
        return printed

    async def _run(self, launch: Launch) -> str:
        advice = self.runtimes.advice()
        return await run_build(launch, self.watch, self.bounds, advice, self.output)


def _unpack(reading: int, into: Path) -> None:
    """Raises ArchiveError and OSError; the build then can no longer write to the pipe."""
    with os.fdopen(reading, "rb") as pipe:
        unpack_tar(pipe, into)


def _not_storable(problem: object, printed: str) -> BuildFailed:
    sentence = str(problem).removeprefix("The archive's member ")
    return BuildFailed(f"The build left files that cannot be stored: {sentence}", printed)
