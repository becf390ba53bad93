"""No sandbox outlives its arena, even if the arena is killed while the sandbox starts."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil
import pytest

from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.limits import usable_place
from arena.bots.process import process_runner
from arena.bots.references import find_bot
from arena.bots.watchdog.process_marks import mark_of
from arena.bots.watchdog.remove_groups import GROUPS
from arena.bots.watchdog.watchdog import SandboxWatchdog
from tests.support.extent import by_extent
from tests.support.processes import name_of, words_of
from tests.support.puppets import MakePuppet, marked
from tests.support.seats import Seat, until

pytestmark = pytest.mark.needs("bubblewrap")

ENDLESS = 'run = ["sh", "-c", "while :; do sleep 1; done", "{mark}"]'

# The mark is also among its arguments: a process that has only forked inherits it from there.
ARENA = """
import asyncio, functools, os, sys, time
from arena.bots.host import Host
from arena.bots.sandbox.bubblewrap import missing_for_sandbox
from arena.bots.references import find_bot

async def main(folder, count, arena):
    assert missing_for_sandbox() is None
    bot = find_bot(folder)
    async with Host() as host:
        print("starting", flush=True)
        for _ in range(count):
            await host.start(bot)
        await asyncio.sleep(60)

def wait_for_its_end(arena):
    while os.getppid() == arena:
        time.sleep(0.01)

_, folder, count, when_forked, mark = sys.argv
if when_forked == "wait":
    asyncio.create_subprocess_exec = functools.partial(
        asyncio.create_subprocess_exec, preexec_fn=functools.partial(wait_for_its_end, os.getpid())
    )
asyncio.run(main(folder, int(count), os.getpid()))
"""

# A bubblewrap that waits for the death of the arena, and one that stops half-way.
LATE = 'while kill -0 "$PPID"; do sleep 0.01; done; exec {real} "$@"'
STUCK = 'exec 9<>{fifo}; exec {real} --block-fd 9 "$@"'


@dataclass(frozen=True)
class Stage:
    """A stage of a sandbox's start at which its arena is killed.

    `processes`: the number of processes at this stage.
    """

    processes: int
    when_forked: str = "go on"
    bubblewrap: str = 'exec {real} "$@"'


STAGES = {
    "it is forked": Stage(1, when_forked="wait"),
    "bubblewrap has not begun": Stage(1, bubblewrap=LATE),
    "its first process does not end with its parent yet": Stage(2, bubblewrap=STUCK),
    "the bot runs": Stage(3),
}


@dataclass(frozen=True)
class Arenas:
    """Real arenas, the bot they start, and the folder that contains their bubblewrap."""

    bot: Path
    mark: str
    programs: Path

    def start(self, bots: int, when_forked: str = "go on") -> subprocess.Popen[str]:
        """Starts an arena; returns when the arena has begun to start its bots."""
        arena = subprocess.Popen(
            [sys.executable, "-c", ARENA, self.bot, str(bots), when_forked, self.mark],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"},
        )
        assert arena.stdout is not None
        assert arena.stdout.readline() == "starting\n"
        return arena


@pytest.fixture
def arenas(tmp_path: Path, mark: str) -> Iterator[Arenas]:
    arenas = Arenas(tmp_path / "bot", mark, tmp_path / "programs")
    arenas.programs.mkdir()
    arenas.bot.mkdir()
    (arenas.bot / "bot.toml").write_text(f'name = "endless"\n{ENDLESS.format(mark=mark)}')
    yield arenas
    for process in marked(mark):
        with suppress(psutil.NoSuchProcess):
            process.kill()


def put_in_place_of_bubblewrap(stage: Stage, arenas: Arenas) -> None:
    real, fifo = shutil.which("bwrap"), arenas.programs / "fifo"
    os.mkfifo(fifo)
    program = arenas.programs / "bwrap"
    act = stage.bubblewrap.format(real=real, fifo=fifo)
    # For bots only: the arena first tests that bubblewrap works.
    others = f'case "$*" in *--json-status-fd*) ;; *) exec {real} "$@" ;; esac'
    program.write_text(f"#!/bin/sh\n{others}\n{act}\n")
    program.chmod(0o755)


def watchdogs(arena: int) -> list[psutil.Process]:
    children = psutil.Process(arena).children()
    return [one for one in children if any("kill_sandboxes.py" in word for word in words_of(one))]


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
async def test_a_sandbox_ends_with_its_arena(stage: Stage, arenas: Arenas) -> None:
    put_in_place_of_bubblewrap(stage, arenas)
    with arenas.start(1, stage.when_forked) as arena:
        await until(lambda: len(marked(arenas.mark)) == 1 + stage.processes)
        helpers = watchdogs(arena.pid)
        arena.kill()
    await until(lambda: not marked(arenas.mark))
    await until(lambda: not any(helper.is_running() for helper in helpers))


@pytest.mark.slow
async def test_sandboxes_end_with_an_arena_that_is_killed_at_any_moment(
    arenas: Arenas, seed: int
) -> None:
    random = Random(seed)
    for _ in range(by_extent(3, 3, 10)):
        with arenas.start(20) as arena:
            await asyncio.sleep(random.uniform(0, 0.05))
            arena.kill()
        await until(lambda: not marked(arenas.mark))


async def test_a_sandbox_that_starts_late_ends_with_its_match(
    arenas: Arenas, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its sleep is killed first. It continues to the point where it does not end with its parent.
    late = Stage(2, bubblewrap=f'trap "" TERM; sleep 600; {STUCK}')
    put_in_place_of_bubblewrap(late, arenas)
    monkeypatch.setenv("PATH", f"{arenas.programs}:{os.environ['PATH']}")
    monkeypatch.setattr(
        process_runner, "usable_place", lambda: None
    )  # removing it would kill the bot
    async with Host(Isolation.BUBBLEWRAP) as host:
        bot = await host.start(find_bot(str(arenas.bot)))
        await until(lambda: any(is_asleep(one) for one in marked(arenas.mark)))
        await bot.stop("That was all.")
        await until(lambda: not marked(arenas.mark))


FROZEN = """
import asyncio, sys
from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.references import find_bot

async def main(folder, isolation):
    async with Host(Isolation(isolation)) as host:
        bot = await host.start(find_bot(folder))
        assert await bot.ready() is None
        assert await bot.freeze()
        print("frozen", flush=True)
        await asyncio.sleep(60)

asyncio.run(main(*sys.argv[1:3]))
"""


@pytest.mark.needs("control groups")
async def test_what_is_frozen_ends_with_its_arena(
    isolation: Isolation, make_puppet: MakePuppet, mark: str
) -> None:
    program = [sys.executable, "-c", FROZEN, str(make_puppet().folder), isolation.value]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as arena:
        try:
            assert arena.stdout is not None
            assert arena.stdout.readline() == "frozen\n"
            groups = f"{GROUPS}-{mark_of(arena.pid)}-*"
            assert marked(mark)
        finally:
            arena.kill()
    await until(lambda: not marked(mark))
    await until(lambda: not [*usable_place().folder.glob(groups)])


def is_asleep(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return any(name_of(child) == "sleep" for child in process.children())
    return False


async def test_an_orderly_end_leaves_no_process(make_puppet: MakePuppet) -> None:
    async with Host(Isolation.BUBBLEWRAP) as host:
        await Seat(await host.start(make_puppet()), "m").acceptance()
        assert len(watchdogs(os.getpid())) == 1
    assert watchdogs(os.getpid()) == []


def sockets(process: int) -> set[str]:
    found = set()
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was that of the listing
            found.add(str(descriptor.readlink()))
    return {name for name in found if name.startswith("socket:")}


async def test_a_bot_does_not_inherit_the_watchdogs_socket(
    make_puppet: MakePuppet, mark: str
) -> None:
    async with Host(Isolation.BUBBLEWRAP) as host:
        await Seat(await host.start(make_puppet()), "m").acceptance()
        [bot] = [one for one in marked(mark) if name_of(one).startswith("python")]
        assert sockets(bot.pid)
        assert sockets(bot.pid).isdisjoint(sockets(os.getpid()))


@pytest.fixture
def endless() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts processes that never end, with an argument and some inherited file descriptors."""
    processes = []

    def start(argument: str, *inherits: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "import time; time.sleep(600)", argument]
        processes.append(subprocess.Popen(command, pass_fds=inherits))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


def test_what_has_another_mark_is_left_alone(
    endless: Callable[..., subprocess.Popen[bytes]],
) -> None:
    watchdog, other = SandboxWatchdog(), SandboxWatchdog()
    mark = watchdog.options[-1]
    tied, like = endless(mark, watchdog.fd), endless(f"{mark}0")
    others = endless(other.options[-1], other.fd)
    watchdog.close()
    assert tied.wait() == -signal.SIGKILL
    assert (like.poll(), others.poll()) == (None, None)
    other.close()
    assert others.wait() == -signal.SIGKILL
    assert like.poll() is None
