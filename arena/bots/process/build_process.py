"""Runs the build of a bot, within bounds. That happens once, when the bot is submitted."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.limits import (
    TASKS_PER_PROCESS,
    Cgroup,
    GroupLimits,
    Usage,
    UsageWatch,
    make_group,
    usable_place,
)
from arena.bots.local import CANNOT_RUN, Ending, Output, explained
from arena.bots.process.launch import Launch
from arena.bots.process.process import Process


@dataclass(frozen=True)
class BuildBounds:
    """Limits on the time and resources of a build. Without a sandbox its disk is not limited.

    `disk_mb`: the size of each of its two file systems, of the bot's folder and of /tmp. They are
    in memory.
    `files`: how many files and folders each may hold.
    """

    seconds: float = 900.0
    memory_mb: int = 2048
    processes: int = 256
    disk_mb: int = 1024
    files: int = 100_000

    def for_the_kernel(self) -> GroupLimits:
        """A build may use all processors, since its time is limited."""
        tasks = self.processes * TASKS_PER_PROCESS
        memory = self.memory_mb + 2 * self.disk_mb
        return GroupLimits(memory << 20, tasks, cores=os.cpu_count() or 1)

    def excess(self, controller: str) -> str:
        """Returns the end of a sentence on a build that reached that controller's limit."""
        if controller == "memory":
            return f"used up its {self.memory_mb} MiB of memory"
        return f"kept starting processes or threads; it may have {self.processes} processes"


BUILD_BOUNDS = BuildBounds()


class BuildFailed(Exception):
    """A build failed. Its text says why; `output`: the last part of its output."""

    def __init__(self, sentence: str, output: str = "") -> None:
        super().__init__(sentence)
        self.output = output


async def run_build(
    launch: Launch, watch: UsageWatch, bounds: BuildBounds, advice: str, output: Output
) -> str:
    """Runs a build to its end, and returns the last part of its output.

    `advice`: a sentence for the author if the build fails by itself, perhaps because something it
    needs is missing.
    `output`: receives what it prints, while it runs.

    Raises BuildFailed and ArenaFailure. Nothing that the build started is left running. Where the
    kernel does not limit them, the bounds on memory and processes are coarse: a build can exceed
    them by far for half a second.
    """
    async with _laid_out(launch):
        first, ran_out_of = await _first_event(launch, watch, bounds, output)
    printed = output.since(0)
    if first == Ending(None) and CANNOT_RUN not in printed:
        raise ArenaFailure(f"A build could not be started.{output.quote(0)}")
    if first != Ending(0) and ran_out_of:
        raise BuildFailed(f"The build {bounds.excess(ran_out_of)}.", printed)
    if isinstance(first, str):
        raise BuildFailed(f"The build {first}.", printed)
    if first != Ending(0):
        raise BuildFailed(f"The build {first}.{explained(printed)} {advice}", printed)
    return printed


@asynccontextmanager
async def _laid_out(launch: Launch) -> AsyncIterator[None]:
    """Creates the files of the process's own, and removes them."""
    files = launch.own_files
    if files is None:
        yield
        return
    await asyncio.to_thread(files.lay_out)
    try:
        yield
    finally:
        await asyncio.to_thread(files.remove)


async def _first_event(
    launch: Launch, watch: UsageWatch, bounds: BuildBounds, output: Output
) -> tuple[Ending | str, str | None]:
    """Runs the process until it ends or exceeds a bound, and ends it. Returns which of these it
    was, and the controller whose limit it reached, if any."""
    events: asyncio.Queue[Ending | str] = asyncio.Queue()
    group = make_group(usable_place(), bounds.for_the_kernel())
    process = await Process.start(launch, output, events.put_nowait, group.entrances())
    watch.watch(process.pid, lambda usage: _report(usage, group, launch, bounds, events))
    try:
        async with asyncio.timeout(bounds.seconds):
            first = await events.get()
    except TimeoutError:
        first = f"did not end within {bounds.seconds:g} seconds"
    finally:
        watch.forget(process.pid)
        await process.kill()
        ran_out_of = group.ran_out_of()
        await group.remove()
    return first, ran_out_of


def _report(
    usage: Usage,
    group: Cgroup,
    launch: Launch,
    bounds: BuildBounds,
    events: asyncio.Queue[Ending | str],
) -> None:
    if not group.limits_memory:
        mebibytes = usage.memory_bytes(bounds.memory_mb << 20) >> 20
        if mebibytes > bounds.memory_mb:
            events.put_nowait(f"used {mebibytes} MiB of memory; it may use {bounds.memory_mb}")
    processes = usage.processes - launch.own_processes
    if processes > bounds.processes:
        events.put_nowait(f"had {processes} processes; it may have {bounds.processes}")
    if _files(usage.pids, launch.own_places) > bounds.files:
        events.put_nowait(
            f"created more than {bounds.files:,} files, which is the most it may have"
        )


def _files(pids: Sequence[int], places: Sequence[str]) -> int:
    """Returns the number of files in the fullest of a build's own file systems. `build_inside.py`
    counts as well, but the build may have stopped it."""
    most = 0
    for pid in pids:
        root = f"/proc/{pid}/root"
        with suppress(OSError):  # it has ended, or its files are not visible here
            if not Path(root).samefile("/"):  # it is no longer bubblewrap on its way in
                for place in places:
                    status = os.statvfs(f"{root}{place}")
                    most = max(most, status.f_files - status.f_ffree)
                break
    return most
