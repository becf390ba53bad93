"""A bot's build: run once, when the bot is submitted, within bounds."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.limits.cgroups import Bounds, make_group, usable_places
from arena.bots.limits.limits import TASKS_A_PROCESS
from arena.bots.limits.sampling import Usage, UsageWatch
from arena.bots.local.lifecycle import CANNOT_RUN
from arena.bots.local.output import Output
from arena.bots.process.launch import Launch
from arena.bots.process.process import Ending, Process

LOOK_EVERY_S = 0.5


@dataclass(frozen=True)
class BuildBounds:
    """What a build may take, and what it may leave on the disk for the time it runs."""

    seconds: float = 900.0
    memory_mb: int = 2048
    processes: int = 256
    disk_mb: int = 2048
    files: int = 100_000

    def for_the_kernel(self) -> Bounds:
        """A build has the processors to itself; of its time there is a bound."""
        tasks = self.processes * TASKS_A_PROCESS
        return Bounds(self.memory_mb << 20, tasks, cores=os.cpu_count() or 1)

    def excess(self, controller: str) -> str:
        """What the build did, if the kernel stopped it there."""
        if controller == "memory":
            return f"used up its {self.memory_mb} MiB of memory"
        return f"started ever more processes or threads; it may have {self.processes} processes"


BUILD_BOUNDS = BuildBounds()


class BuildFailed(Exception):
    """A build that made no bot. Its text says why; `output`: the last it printed."""

    def __init__(self, sentence: str, output: str) -> None:
        super().__init__(sentence)
        self.output = output


async def run_build(
    launch: Launch, places: Sequence[Path], watch: UsageWatch, bounds: BuildBounds, advice: str
) -> str:
    """Runs a build to its end, and returns the last it printed. `places`: where it writes to.
    `advice`: a sentence for who wrote one that gave up by itself, perhaps for want of something.

    Raises BuildFailed, and ArenaFailure. Nothing that the build started is left running. The bounds
    on memory and disk are coarse: it can go far past them for half a second.
    """
    output = Output()
    news: asyncio.Queue[Ending | str] = asyncio.Queue()
    group = make_group(usable_places(), bounds.for_the_kernel())
    process = await Process.start(launch, output, news.put_nowait, group.entrances())
    watch.watch(process.pid, lambda usage: _report(usage, launch, bounds, news))
    looking = asyncio.create_task(_look(places, bounds, news))
    try:
        async with asyncio.timeout(bounds.seconds):
            first = await news.get()
    except TimeoutError:
        first = f"did not end within {bounds.seconds:g} seconds"
    finally:
        looking.cancel()
        watch.forget(process.pid)
        await process.kill()
        ran_out_of = group.ran_out_of()
        await group.remove()
        for place in places:
            await asyncio.to_thread(_open_up, place)
    printed = output.since(0)
    if first == Ending(None) and CANNOT_RUN not in printed:
        raise ArenaFailure(f"A build could not be started.{output.quote(0)}")
    if first != Ending(0) and ran_out_of:
        raise BuildFailed(f"The build {bounds.excess(ran_out_of)}.", printed)
    if isinstance(first, str):
        raise BuildFailed(f"The build {first}.", printed)
    if first != Ending(0):
        raise BuildFailed(f"The build {first}. {advice}", printed)
    return printed


def _report(
    usage: Usage, launch: Launch, bounds: BuildBounds, news: asyncio.Queue[Ending | str]
) -> None:
    mebibytes, processes = usage.memory_bytes >> 20, usage.processes - launch.own_processes
    if mebibytes > bounds.memory_mb:
        news.put_nowait(f"used {mebibytes} MiB of memory; it may use {bounds.memory_mb}")
    if processes > bounds.processes:
        news.put_nowait(f"had {processes} processes; it may have {bounds.processes}")


async def _look(
    places: Sequence[Path], bounds: BuildBounds, news: asyncio.Queue[Ending | str]
) -> None:
    """Looks again and again what the build has written, until cancelled."""
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        if await asyncio.to_thread(_is_full, places, bounds):
            news.put_nowait(
                f"wrote more than {bounds.disk_mb} MiB or {bounds.files:,} files, which is all it"
                " may have on the disk"
            )
            return


def _is_full(places: Sequence[Path], bounds: BuildBounds) -> bool:
    size = count = 0
    for place in places:
        for folder, folders, files in os.walk(place):
            count += len(folders) + len(files)
            for name in files:
                with suppress(OSError):  # it may be gone
                    size += os.lstat(os.path.join(folder, name)).st_size  # noqa: PTH118
            if count > bounds.files or size > bounds.disk_mb << 20:
                return True
    return False


def _open_up(place: Path) -> None:
    """A build can make folders that even their owner cannot enter, nor remove."""
    for folder, folders, _ in os.walk(place):
        for name in folders:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755)
