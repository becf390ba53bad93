"""Limits on a bot; nothing of a bot remains after its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.limits import sampling
from arena.bots.process import process_runner
from arena.bots.sandbox.kernel_files import trial_devices
from arena.protocol.faults import FaultKind
from tests.support.clock import use_processor
from tests.support.processes import name_of
from tests.support.puppets import MakePuppet, StartPuppet, marked, vanished
from tests.support.seats import Seat, until


def sleepers(mark: str) -> list[psutil.Process]:
    """Returns the processes that the puppet started."""
    return [process for process in marked(mark) if name_of(process) == "sleep"]


def names_in(folder: str | Path) -> list[str]:
    return [path.name for path in Path(folder).iterdir()]


@pytest.fixture(params=["as this machine has them", "none"])
def control_groups(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "none":
        monkeypatch.setattr(process_runner, "usable_place", lambda: None)


@pytest.mark.usefixtures("control_groups")
async def test_a_memory_hog_is_ended(start_puppet: StartPuppet) -> None:
    bot = await start_puppet(memory_mb=150)
    seat = Seat(bot, "m")
    await seat.answer_to("hog 20")
    await until(lambda: 0.1 < bot.memory_share < 1)
    seat.ask("hog 200")
    seat.ask("sleep 60")
    loss = await seat.loss()
    assert loss.kind is FaultKind.RESOURCE_LIMIT
    assert "150" in loss.sentence
    assert "(`limits.memory_mb` in bot.toml)" in loss.sentence
    await seat.restoration()


@pytest.mark.usefixtures("control_groups")
async def test_memory_that_processes_share_counts_once(
    start_puppet: StartPuppet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five times 100 MiB and more by the sum of what each can see."""
    look = Mock(wraps=sampling.usage_below)
    monkeypatch.setattr(sampling, "usage_below", look)
    bot = await start_puppet(memory_mb=300)
    seat = Seat(bot, "m")
    await seat.answer_to("hog 100")
    await seat.answer_to("fork 4")
    before = look.call_count
    await until(lambda: look.call_count == before + 3)  # two of them have been judged
    assert seat.heard.lost.empty()
    assert bot.memory_share < 1


@pytest.mark.usefixtures("control_groups")
async def test_a_fork_bomb_is_ended(start_puppet: StartPuppet, mark: str) -> None:
    bot = await start_puppet(processes=20)
    seat = Seat(bot, "m")
    await seat.acceptance()
    seat.ask("multiply 40")
    loss = await seat.loss()
    assert loss.kind is FaultKind.RESOURCE_LIMIT
    assert "processes; its limit is 20 (`limits.processes` in bot.toml)" in loss.sentence
    await seat.restoration()
    assert sleepers(mark) == []


async def test_processes_within_the_limit_are_counted_without_the_arenas_own(
    start_puppet: StartPuppet, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Mock(wraps=sampling.usage_below)
    monkeypatch.setattr(sampling, "usage_below", look)
    seat = Seat(await start_puppet(processes=3), "m")
    await seat.acceptance()
    await seat.answer_to("multiply 2")
    before = look.call_count
    await until(lambda: look.call_count == before + 3)  # two of them have been judged
    assert seat.heard.lost.empty()


async def test_what_a_bot_started_ends_with_it(
    isolation: Isolation, make_puppet: MakePuppet, mark: str
) -> None:
    async with Host(isolation) as host:
        bot = await host.start(make_puppet())
        seat = Seat(bot, "m")
        await seat.acceptance()
        await seat.answer_to("multiply 3")
        await until(lambda: len(sleepers(mark)) == 3)
        await bot.stop("That was all.")
        vanished(mark)


async def test_a_bot_that_ignores_the_goodbye_is_ended(
    isolation: Isolation, make_puppet: MakePuppet, mark: str
) -> None:
    async with Host(isolation) as host:
        bot = await host.start(make_puppet())
        seat = Seat(bot, "m")
        await seat.acceptance()
        seat.ask("sleep 60")
        await bot.stop("That was all.")
        vanished(mark)


async def test_a_bot_is_stopped_before_it_is_ready(
    isolation: Isolation, make_puppet: MakePuppet, mark: str
) -> None:
    async with Host(isolation) as host:
        for _ in range(3):
            await (await host.start(make_puppet("sleep=60"))).stop("Never mind.")
            vanished(mark)


async def test_no_folder_is_left_of_a_closed_host(
    isolation: Isolation, make_puppet: MakePuppet, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial_devices()  # the first sandbox of a process makes a folder that stays
    with tempfile.TemporaryDirectory() as folder:  # the paths of pytest's folders are too long
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        async with Host(isolation) as host:
            bots = [await host.start(make_puppet()) for _ in range(3)]
            for bot in bots:
                assert await bot.ready() is None
            own = Path(folder, *names_in(folder))  # this process's folder, with one for each bot
            assert len(names_in(own)) == 3
        assert names_in(own) == []


ARENA = """
import asyncio, sys
from arena.bots.local.local_bot import GOODBYE_S
from arena.bots.process import process_runner
from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.references import find_bot

async def main():
    async with Host(Isolation(sys.argv[1])) as host:
        bot = await host.start(find_bot(sys.argv[2]))
        assert await bot.ready() is None
        print("ready", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def test_bots_end_with_an_arena_that_is_killed(
    isolation: Isolation, make_puppet: MakePuppet, mark: str
) -> None:
    program = make_puppet()
    command = [sys.executable, "-c", ARENA, isolation.value, str(program.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as arena:
        assert arena.stdout is not None
        assert arena.stdout.readline() == "ready\n"
        assert marked(mark)
        arena.send_signal(signal.SIGKILL)
    vanished(mark)


@pytest.mark.needs("control groups")
async def test_a_frozen_bot_uses_no_time_and_then_plays_on(
    start_puppet: StartPuppet, mark: str
) -> None:
    bot = await start_puppet()
    seat = Seat(bot, "m")
    await seat.answer_to("spin")
    assert not await bot.freeze()  # it has a seat
    seat.channel.close()
    assert await bot.freeze()
    used = seconds_used(mark)
    use_processor(0.3)
    assert seconds_used(mark) == used
    await bot.thaw()
    await Seat(bot, "n").acceptance()
    assert bot.memory_bytes > 1 << 20


@pytest.mark.needs("control groups")
async def test_a_frozen_bot_is_ended_without_a_goodbye(
    start_puppet: StartPuppet, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.local.local_bot.GOODBYE_S", 3600.0)
    bot = await start_puppet("sleep=0")
    assert await bot.ready() is None
    assert await bot.freeze()
    await bot.stop("It is retired.")
    assert marked(mark) == []


def seconds_used(mark: str) -> float:
    times = [process.cpu_times() for process in marked(mark)]
    return sum(one.user + one.system for one in times)


def test_the_kernel_tells_how_long_a_process_waited_for_a_processor() -> None:
    """Two that want the same processor."""
    processor = {min(os.sched_getaffinity(0))}
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        for process in busy:
            os.sched_setaffinity(process.pid, processor)
        while min(sampling.waited_s(process.pid) for process in busy) < 0.05:
            use_processor(0.01)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert sampling.waited_s(busy[0].pid) == 0
