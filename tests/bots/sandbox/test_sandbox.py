"""A bot in the sandbox cannot see, reach or change anything outside."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from arena.bots.host import Host
from arena.bots.interface import ArenaFailure
from arena.bots.isolation import Isolation
from arena.bots.references import find_bot
from arena.bots.sandbox import bubblewrap
from arena.bots.sandbox.bubblewrap import missing_for_sandbox
from arena.bots.sandbox.denied_calls import NUMBERS
from arena.bots.sandbox.kernel_files import DEVICES, OF_THE_MACHINE, trial_devices
from arena.bots.sandbox.seccomp import MACHINES, system_call_profile
from arena.bots.source.program import Program
from arena.protocol.faults import FaultKind
from tests.support.processes import words_of
from tests.support.puppets import SCRIPTED, MakePuppet
from tests.support.seats import Seat

# The package's face has a function of that name.
users_module = importlib.import_module("arena.bots.sandbox.users")
inside = pytest.mark.needs("bubblewrap")


@pytest.mark.parametrize("machine", MACHINES)
def test_an_engine_gets_the_same_rules(machine: str) -> None:
    profile = json.loads(system_call_profile(machine))
    names = {name for rule in profile["syscalls"] for name in rule["names"]}
    assert names == {name for name, numbers in NUMBERS.items() if None not in numbers} | (
        {"inotify_init"} if machine == "x86_64" else set()
    )


@inside
async def test_a_build_may_lock_files(tmp_path: Path) -> None:
    lock = "import fcntl; fcntl.flock(open('x', 'w'), fcntl.LOCK_EX); print('locked')"
    build = json.dumps(["python", "-c", lock])
    for place in (tmp_path / "bot", tmp_path / "built"):
        place.mkdir()
    (tmp_path / "bot" / "bot.toml").write_text(f'name = "x"\nrun = ["x"]\nbuild = {build}')
    program = find_bot(str(tmp_path / "bot"))
    assert isinstance(program, Program)
    async with Host(Isolation.BUBBLEWRAP) as host:
        assert await host.build(program, tmp_path / "built") == "locked\n"


@inside
async def test_each_process_has_files_of_its_own(make_puppet: MakePuppet) -> None:
    """The kernel stores hints, locks and who waits with a file, whoever opens it."""
    program = make_puppet()
    async with Host(Isolation.BUBBLEWRAP) as host:
        bots = [await host.start(program) for _ in range(2)]
        seen = {await Seat(bot, "m").told("inode /bot/puppet.py") for bot in bots}
        assert len(seen | {str((program.folder / "puppet.py").stat().st_ino)}) == 3


@inside
async def test_each_process_has_devices_of_its_own(make_puppet: MakePuppet) -> None:
    """They can be opened for writing, so whoever locks one tells all others that see it."""
    program = make_puppet()
    mine = trial_devices() != OF_THE_MACHINE
    async with Host(Isolation.BUBBLEWRAP) as host:
        seats = [Seat(await host.start(program), "m") for _ in range(2)]
        for name in (*DEVICES, "stdin"):
            results = [await seat.told(f"lock /dev/{name}") for seat in seats]
            assert results == ["locked", "locked" if mine else "BlockingIOError"]


@inside
async def test_devices_are_removed_with_their_process(make_puppet: MakePuppet) -> None:
    async with Host(Isolation.BUBBLEWRAP) as host:
        bot = await host.start(make_puppet())
        await Seat(bot, "m").acceptance()
        before = set(trial_devices().parent.iterdir())
        await bot.stop("")
        assert len(before - set(trial_devices().parent.iterdir())) == (
            1 if trial_devices() != OF_THE_MACHINE else 0
        )


@inside
async def test_under_root_each_process_is_another_user(make_puppet: MakePuppet) -> None:
    """Else the kernel would count together what they use, and take a bot for root."""
    program = make_puppet()
    async with Host(Isolation.BUBBLEWRAP) as host:
        for _ in range(2):
            await Seat(await host.start(program), "m").acceptance()
        below = [(one, words_of(one)) for one in psutil.Process().children(recursive=True)]
        bots = [one for one, words in below if "puppet.py" in words and "bwrap" not in words[0]]
        users = {one.uids().real for one in bots}
    if os.geteuid() == 0:
        assert len(users) == 2
        assert min(users) >= users_module.FIRST
    else:
        assert users == {os.geteuid()}


def test_an_arena_that_cannot_do_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users_module.os, "geteuid", lambda: 0)
    monkeypatch.setattr(users_module, "users", lambda: None)
    assert "The arena runs as root" in (users_module.root_in_sandboxes() or "")
    monkeypatch.setattr(users_module.os, "geteuid", lambda: 1000)
    assert users_module.root_in_sandboxes() is None


@inside
async def test_the_arenas_environment_is_not_there(
    make_puppet: MakePuppet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    async with Host(Isolation.BUBBLEWRAP) as host:
        seat = Seat(await host.start(make_puppet()), "m")
        names = (await seat.told("environment")).split()
    allowed = {"ARENA_ADDRESS", "ARENA_TOKEN", "HOME", "LANG", "PATH", "PWD"}
    assert set(names) <= allowed


@inside
async def test_what_can_be_written_is_bounded(make_puppet: MakePuppet) -> None:
    async with Host(Isolation.BUBBLEWRAP) as host:
        seat = Seat(await host.start(make_puppet()), "m")
        for place in ("/tmp/x", "/dev/shm/x"):
            assert await seat.told(f"write {place} 8") == "written"
            assert await seat.told(f"write {place} 32") == "OSError"


@inside
async def test_a_single_file_has_no_neighbours(tmp_path: Path) -> None:
    scripted = SCRIPTED / "puppet.py"
    (tmp_path / "alone.py").write_bytes(scripted.read_bytes())
    (tmp_path / "neighbour.py").write_text("")
    async with Host(Isolation.BUBBLEWRAP) as host:
        seat = Seat(await host.start(find_bot(str(tmp_path / "alone.py"))), "m")
        assert await seat.told("read /bot") == "alone.py"


@pytest.mark.parametrize(
    "isolation", [pytest.param(Isolation.BUBBLEWRAP, marks=inside), Isolation.NONE]
)
async def test_a_program_that_is_not_there_is_the_bots_own_fault(
    isolation: Isolation, tmp_path: Path
) -> None:
    (tmp_path / "bot.toml").write_text('name = "lost"\nrun = ["no-such-program"]')
    async with Host(isolation) as host:
        bot = await host.start(find_bot(str(tmp_path)))
        loss = await Seat(bot, "m").loss()
    assert loss.kind is FaultKind.START_FAILED
    assert "could not be started" in loss.sentence
    assert "no-such-program: No such file or directory" in loss.words


@inside
async def test_a_sandbox_that_cannot_be_made_is_the_arenas_failure(
    make_puppet: MakePuppet, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert missing_for_sandbox() is None
    monkeypatch.setattr(bubblewrap, "SEALED", ("--remount-ro", "/no/such/mount"))
    async with Host(Isolation.BUBBLEWRAP) as host:
        bot = await host.start(make_puppet())
        with pytest.raises(ArenaFailure, match="/no/such/mount"):
            await bot.ready()


@pytest.fixture
def untried() -> Iterator[None]:
    missing_for_sandbox.cache_clear()
    yield
    missing_for_sandbox.cache_clear()


@pytest.mark.usefixtures("untried")
async def test_without_bubblewrap_the_error_says_how_to_get_it(
    make_puppet: MakePuppet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(bubblewrap, "WHEEL", "no_such_wheel")
    async with Host(Isolation.BUBBLEWRAP) as host:
        with pytest.raises(ArenaFailure, match="apt install bubblewrap"):
            await host.start(make_puppet())


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize(
    ("complaint", "advice"),
    [
        ("bwrap: Unknown option --disable-userns", "needs bubblewrap 0.8 or newer"),
        ("bwrap: setting up uid map: Permission denied", "user.max_user_namespaces"),
    ],
)
def test_a_bubblewrap_that_does_not_work_is_explained(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, complaint: str, advice: str
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    missing = missing_for_sandbox()
    assert missing is not None
    assert complaint in missing
    assert advice in missing
