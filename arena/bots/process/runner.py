"""A bot runs as a process of this machine, within its limits."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import ClassVar

from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.limits.cgroups import Bounds, Group, make_group, usable_places
from arena.bots.limits.limits import CORES, TASKS_A_PROCESS, forked_on, used_up
from arena.bots.limits.sampling import Usage, UsageWatch, excess
from arena.bots.local.output import Output
from arena.bots.local.runner import Watcher
from arena.bots.process.launch import Launch
from arena.bots.process.process import Ending, Process
from arena.bots.source.manifest import Limits
from arena.protocol.faults import FaultKind


@dataclass(frozen=True)
class ProcessRunner:
    """How a bot is started as a process. `watch`: looks what it uses, since the kernel's own limits
    are not to be had everywhere."""

    ending_known_s: ClassVar[float] = 1.0

    launch: Launch
    limits: Limits
    watch: UsageWatch

    async def start(self, output: Output, watcher: Watcher) -> RunningProcess:
        bounds = Bounds(
            memory_bytes=self.limits.memory_mb << 20,
            tasks=(self.limits.processes + self.launch.own_processes) * TASKS_A_PROCESS,
            cores=CORES,
        )
        group = make_group(usable_places(), bounds)
        running = RunningProcess(self, group, watcher)
        try:
            await running.start(output)
        except ArenaFailure:
            await group.remove()
            raise
        return running


class RunningProcess:
    """A process with its control groups."""

    _process: Process

    def __init__(self, way: ProcessRunner, group: Group, watcher: Watcher) -> None:
        self._way = way
        self._group = group
        self._watcher = watcher

    async def start(self, output: Output) -> None:
        entrances = self._group.entrances()
        self._process = await Process.start(self._way.launch, output, self._tell, entrances)
        self._way.watch.watch(self._process.pid, self._check)

    def signal(self, number: signal.Signals) -> None:
        self._process.signal(number)

    @property
    def exit_code(self) -> int | None:
        return self._process.exit_code

    async def ended(self) -> Ending:
        return await self._process.ended()

    async def kill(self) -> None:
        self._way.watch.forget(self._process.pid)
        await self._process.kill()
        await self._group.remove()

    def _tell(self, ending: Ending) -> None:
        self._watcher.tell(Ending(ending.code, self._refused() or ""))

    def _check(self, usage: Usage) -> None:
        limits = self._way.limits
        usage.processes -= self._way.launch.own_processes
        self._watcher.uses(usage.memory_bytes / (limits.memory_mb << 20))
        if sentence := self._refused() or excess(usage, limits):
            self._watcher.tell(BotLost(FaultKind.RESOURCE_LIMIT, sentence))

    def _refused(self) -> str | None:
        """What the kernel did not give the bot, in a sentence, or None."""
        match self._group.ran_out_of():
            case "memory":
                return used_up(self._way.limits)
            case "pids":
                return forked_on(self._way.limits)
            case _:
                return None
