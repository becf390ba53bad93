"""Readiness: whether this machine can run a bot's process, shown by running one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.limits import room_for_tasks, room_in, usable_places
from arena.bots.local import Ending, Output, Runner
from arena.bots.sockets import private_folder
from arena.bots.source import Limits, Manifest, Program, try_to_remove

TRIAL_S = 30.0
ADVICE = "`arena doctor` says what works on this machine."


class Silence:
    """Watches a process whose ending is awaited."""

    def report(self, event: Ending | BotLost | ArenaFailure) -> None:
        """The ending says it all."""

    def uses(self, memory_share: float) -> None:
        """It uses next to nothing."""


@contextmanager
def trial_program() -> Iterator[Program]:
    """Yields a bot that ends at once, in a folder of its own. Raises ArenaFailure."""
    folder = private_folder()
    try:
        (folder / "bot.py").touch()
        manifest = Manifest(name="trial", run=("python", "bot.py"))
        yield Program(folder, "bot.py", manifest)
    except OSError as error:
        raise ArenaFailure(f"A trial process cannot be run: {error}.") from error
    finally:
        try_to_remove(folder)


async def run_trial(runner: Runner) -> None:
    """Runs a program that ends at once. Raises ArenaFailure, with a sentence on what to do, if it
    does not, or if no bot would have room for its processes."""
    output = Output()
    instance = await runner.start(output, Silence())
    try:
        ending = await asyncio.wait_for(instance.ended(), TRIAL_S)
    except TimeoutError:
        raise ArenaFailure(f"A trial process did not end within {TRIAL_S:g} seconds.") from None
    finally:
        await instance.kill()
    if ending != Ending(0):
        raise ArenaFailure(f"A trial process {ending}. {ADVICE}{output.quote(0)}")
    needed = Limits().processes
    if (room := await asyncio.to_thread(_room)) < needed:
        raise ArenaFailure(
            f"There is room for {room} more processes and threads only, and a bot may have"
            f" {needed}. Raise the worker's limit (`ulimit -u`, or pids.max of its control group)."
        )


def _room() -> float:
    pids = usable_places().get("pids")
    room = room_for_tasks()
    return room if pids is None else min(room, room_in(pids.folder))
