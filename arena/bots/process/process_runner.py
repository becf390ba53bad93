"""Runs a bot's program as a process of this machine, within its limits."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass

from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.limits import (
    CPU_CORES,
    TASKS_PER_PROCESS,
    Cgroup,
    GroupLimits,
    Usage,
    UsageWatch,
    excess,
    make_group,
    out_of_memory,
    room_for_tasks,
    too_many_tasks,
    usable_place,
)
from arena.bots.local import CANNOT_RUN, Ending, Output, Watcher
from arena.bots.process.launch import Launch
from arena.bots.process.process import Process
from arena.bots.source import Limits
from arena.protocol import FaultKind

NO_MEMORY = (
    "The kernel killed a bot's process below its memory limit: a limit further up was reached,"
    " or this machine is full. Raise that limit, or play fewer jobs at once (--jobs)."
)
NO_TASKS = (
    "This machine has no room for as many processes and threads as a bot may have: raise the"
    " worker's limit (`ulimit -u`, or pids.max of its control group), or play fewer jobs at once"
    " (--jobs)."
)
NOT_FOUND = 127  # a shell's exit code if there is no such program


@dataclass(frozen=True)
class ProcessRunner:
    """Starts the processes of a bot. `watch`: samples what they use, because the kernel cannot
    enforce the limits on every machine."""

    launch: Launch
    limits: Limits
    watch: UsageWatch

    async def start(self, output: Output, watcher: Watcher) -> ProcessInstance:
        limits = GroupLimits(
            memory_bytes=self.limits.memory_mb << 20,
            tasks=(self.limits.processes + self.launch.own_processes) * TASKS_PER_PROCESS,
            cores=CPU_CORES,
        )
        if self.launch.own_files is not None:
            await asyncio.to_thread(self.launch.own_files.lay_out)
        group = make_group(usable_place(), limits)
        instance = ProcessInstance(self, group, watcher)
        try:
            await instance.start(output)
        except ArenaFailure:
            await instance.clear()
            raise
        return instance


class ProcessInstance:
    """A process and its control group."""

    _process: Process

    def __init__(self, runner: ProcessRunner, group: Cgroup, watcher: Watcher) -> None:
        self._runner = runner
        self._group = group
        self._watcher = watcher
        self._frozen = False

    async def start(self, output: Output) -> None:
        self._output, self._born = output, output.written
        entrances = self._group.entrances()
        self._process = await Process.start(self._runner.launch, output, self._report, entrances)
        self._runner.watch.watch(self._process.pid, self._check)

    def signal(self, number: signal.Signals) -> None:
        self._process.signal(number)

    @property
    def exit_code(self) -> int | None:
        return self._process.exit_code

    async def ended(self) -> Ending:
        return await self._process.ended()

    async def freeze(self) -> bool:
        self._frozen = await self._group.freeze()
        return self._frozen

    async def thaw(self) -> None:
        self._group.thaw()
        self._frozen = False

    @property
    def memory_bytes(self) -> int:
        used = self._group.memory_bytes()
        return self._runner.limits.memory_mb << 20 if used is None else used

    async def kill(self) -> None:
        self._runner.watch.forget(self._process.pid)
        if self._frozen:
            self._group.kill()
        await self._process.kill()
        await self.clear()

    async def clear(self) -> None:
        """Removes the group and the files of the process."""
        await self._group.remove()
        if (files := self._runner.launch.own_files) is not None:
            await asyncio.to_thread(files.remove)

    def _report(self, ending: Ending) -> None:
        never_ran = ending.code == NOT_FOUND and CANNOT_RUN in self._output.since(self._born)
        code = None if never_ran else ending.code
        refused = self._refused()
        if refused is None and code != 0 and (failure := self._deprived()):
            self._watcher.report(failure)
        else:
            self._watcher.report(Ending(code, refused or ""))

    def _check(self, usage: Usage) -> None:
        limits = self._runner.limits
        most = limits.memory_mb << 20
        used = self.memory_bytes if self._group.limits_memory else usage.memory_bytes(most)
        self._watcher.uses(used / most, usage.waited_s)
        processes = usage.processes - self._runner.launch.own_processes
        if sentence := self._refused() or excess(used, processes, limits):
            self._watcher.report(BotLost(FaultKind.RESOURCE_LIMIT, sentence))
        elif self._group.ran_into() == "memory":
            self._watcher.report(ArenaFailure(NO_MEMORY))

    def _refused(self) -> str | None:
        """Returns a sentence on the limit at which the kernel refused the bot more, or None."""
        match self._group.ran_out_of():
            case "memory":
                return out_of_memory(self._runner.limits)
            case "pids":
                return too_many_tasks(self._runner.limits)
            case _:
                return None

    def _deprived(self) -> ArenaFailure | None:
        """Returns a failure if this machine gave the bot less than its limits promise, or None."""
        match self._group.ran_into():
            case "memory":
                return ArenaFailure(NO_MEMORY)
            case None if room_for_tasks() >= self._runner.limits.processes:
                return None
            case _:
                return ArenaFailure(NO_TASKS)
