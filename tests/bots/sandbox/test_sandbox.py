"""A bot in the sandbox cannot see, reach or change anything outside."""

from __future__ import annotations

import importlib
import json
import os
import platform
import socket
from collections.abc import AsyncIterator, Iterator
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
from tests.support.puppets import SCRIPTED, MakePuppet
from tests.support.seats import Seat

# The package's face has a function of that name.
users_module = importlib.import_module("arena.bots.sandbox.users")
inside = pytest.mark.needs("bubblewrap")


@pytest.fixture
async def seat(make_puppet: MakePuppet) -> AsyncIterator[Seat]:
    """A seat with a puppet in bubblewrap."""
    async with Host(Isolation.BUBBLEWRAP) as host:
        seat = Seat(await host.start(make_puppet()), "m")
        await seat.acceptance()
        yield seat


async def told(seat: Seat, command: str) -> str:
    """Returns the puppet's answer."""
    return (await seat.answer_to(command)).text


@inside
async def test_there_is_no_network(seat: Seat) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert await told(seat, f"dial 127.0.0.1 {port}") == "OSError"
        assert await told(seat, "dial 192.0.2.1 80") == "OSError"
    assert await told(seat, "read /proc/net/dev") != ""
    assert "eth" not in await told(seat, "read /proc/net/dev")


# An attempt, its arguments, and its result.
ATTEMPTS = {
    "an internet socket": ("socket", (socket.AF_INET, socket.SOCK_STREAM, 0), "EAFNOSUPPORT"),
    "a netlink socket": ("socket", (16, socket.SOCK_RAW, 0), "EAFNOSUPPORT"),
    "a raw packet socket": ("socket", (17, socket.SOCK_RAW, 0), "EAFNOSUPPORT"),
    "a Unix socket": ("socket", (socket.AF_UNIX, socket.SOCK_STREAM, 0), "done"),
    "io_uring": ("io_uring_setup", (8, 0), "ENOSYS"),
    "a user namespace": ("unshare", (0x10000000,), "EPERM"),
    "a process in a namespace of its own": ("clone", (0x10000000, 0, 0, 0, 0), "EPERM"),
    "clone3": ("clone3", (0, 0), "ENOSYS"),
    "tracing": ("ptrace", (0, 0, 0, 0), "EPERM"),
    "another process's memory": ("process_vm_readv", (1, 0, 0, 0, 0, 0), "EPERM"),
    "a mount": ("mount", (0, 0, 0, 0, 0), "EPERM"),
    "a program in the kernel": ("bpf", (0, 0, 0), "EPERM"),
    "the kernel's keys": ("keyctl", (0, 0, 0), "EPERM"),
    "typing into a terminal": ("ioctl", (0, 0x5412, 0), "EPERM"),
    "memory without an owner": ("memfd_create", (0, 0), "ENOSYS"),
    "a lock that others can meet": ("flock", (0, 2), "ENOSYS"),
    "asking who has a lock": ("fcntl", (0, 5, 0), "EPERM"),
    "looking at a descriptor": ("fcntl", (0, 1, 0), "done"),
    "watching who opens a file": ("inotify_init1", (0,), "ENOSYS"),
    "storing a hint with a file": ("fcntl", (0, 1036, 0), "EPERM"),
    "reading such a hint": ("fcntl", (0, 1035, 0), "EPERM"),
    "another signal for a file": ("fcntl", (0, 10, 34), "EPERM"),
    "the size of a pipe": ("fcntl", (0, 1032, 0), "EPERM"),
    "what is in memory": ("mincore", (0, 0, 0), "ENOSYS"),
    "removing a file from memory": ("fadvise64", (0, 0, 0, 4), "ENOSYS"),
    "removing pages from memory": ("madvise", (0, 0, 21), "EINVAL"),
    "other advice": ("madvise", (0, 0, 4), "done"),
    "reading only what is in memory": ("preadv2", (0, 0, 0, 0, 0, 8), "ENOTSUP"),
    "reading plainly": ("preadv2", (0, 0, 0, 0, 0, 0), "done"),
    "what is in memory, newly": ("cachestat", (0, 0, 0, 0), "ENOSYS"),
    "waking other processes": ("futex", (0, 1, 1), "EPERM"),
    "waking them by bits": ("futex", (0, 10, 1, 0, 0, 1), "EPERM"),
    "waking them by another clock": ("futex", (0, 0x101, 1), "EPERM"),
    "moving those who wait": ("futex", (0, 4, 1, 1, 0, 0), "EPERM"),
    "waiting as musl does": ("futex", (0, 0, 0), "EAGAIN"),
    "waking its own threads": ("futex", (0, 0x81, 1), "done"),
    "waiting for several": ("futex_waitv", (0, 0, 0, 0, 0), "ENOSYS"),
    "the newer way to wake": ("futex_wake", (0, 0, 0, 0), "ENOSYS"),
    "an account of requests to the disk": ("io_setup", (1, 0), "ENOSYS"),
    "an account of queues": ("mq_open", (0, 0, 0, 0), "ENOSYS"),
    "an account of timers": ("timer_create", (0, 0, 0), "EAGAIN"),
    "a queued signal": ("kill", (0, 34), "EAGAIN"),
    "a queued signal for a thread": ("tgkill", (1, 1, 64), "EAGAIN"),
    "a queued signal at the end of a child": ("clone", (34, 0, 0, 0, 0), "EINVAL"),
    "a queued signal at the end of its parent": ("prctl", (1, 40), "EINVAL"),
    "another setting of a process": ("prctl", (3, 0, 0, 0, 0), "done"),
    "pages of the machine's huge ones": ("mmap", (0, 4096, 3, 0x40022, -1, 0), "ENOMEM"),
    "the number of a socket": ("getsockopt", (0, 1, 57), "ENOPROTOOPT"),
    "the number of a network namespace": ("getsockopt", (0, 1, 71), "ENOPROTOOPT"),
    "the number of a peer's process": ("getsockopt", (0, 1, 77), "ENOPROTOOPT"),
    "the number of a sender's process": ("setsockopt", (0, 1, 76), "ENOPROTOOPT"),
    "another option of a socket": ("getsockopt", (0, 1, 3), "ENOTSOCK"),
    "the number of a process": ("pidfd_open", (1, 0), "ENOSYS"),
    "the number of a new process": ("clone", (0x1011, 0, 0, 0, 0), "EINVAL"),
    "the kernel's log": ("syslog", (10, 0, 0), "EPERM"),
    "the machine's disks": ("sync", (), "ENOSYS"),
}


@inside
@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_system_calls_that_lead_out_are_refused(seat: Seat, attempt: str) -> None:
    name, arguments, outcome = ATTEMPTS[attempt]
    number = NUMBERS[name][MACHINES[platform.machine()].column]
    assert await told(seat, f"call {number} {' '.join(map(str, arguments))}") == outcome


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
async def test_only_its_own_files_are_there(seat: Seat, make_puppet: MakePuppet) -> None:
    other = make_puppet()
    assert await told(seat, "read /bot") == "bot.toml puppet.py"
    assert await told(seat, f"read {other.folder}") == "FileNotFoundError"
    assert await told(seat, f"read {Path(__file__)}") == "FileNotFoundError"
    assert await told(seat, "read /home") == "FileNotFoundError"
    assert await told(seat, "read /etc/passwd") == "FileNotFoundError"
    assert await told(seat, "read /tmp") == ""
    assert await told(seat, "read /run/arena") == "arena.sock"


@inside
async def test_each_process_has_files_of_its_own(make_puppet: MakePuppet) -> None:
    """The kernel stores hints, locks and who waits with a file, whoever opens it."""
    program = make_puppet()
    async with Host(Isolation.BUBBLEWRAP) as host:
        bots = [await host.start(program) for _ in range(2)]
        seen = {await told(Seat(bot, "m"), "inode /bot/puppet.py") for bot in bots}
        assert len(seen | {str((program.folder / "puppet.py").stat().st_ino)}) == 3


@inside
async def test_each_process_has_devices_of_its_own(make_puppet: MakePuppet) -> None:
    """They can be opened for writing, so whoever locks one tells all others that see it."""
    program = make_puppet()
    mine = trial_devices() != OF_THE_MACHINE
    async with Host(Isolation.BUBBLEWRAP) as host:
        seats = [Seat(await host.start(program), "m") for _ in range(2)]
        for name in (*DEVICES, "stdin"):
            results = [await told(seat, f"lock /dev/{name}") for seat in seats]
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
        bots = [p for p in psutil.Process().children(recursive=True) if "puppet.py" in p.cmdline()]
        users = {p.uids().real for p in bots if "bwrap" not in p.cmdline()[0]}
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
async def test_the_machines_devices_cannot_be_changed(seat: Seat) -> None:
    for name in ("null", "zero", "full", "random", "urandom"):
        assert await told(seat, f"chmod /dev/{name}") == "PermissionError"
    for name in ("tty", "ptmx", "pts"):
        assert await told(seat, f"read /dev/{name}") == "FileNotFoundError"


@inside
async def test_what_the_machine_does_cannot_be_read(seat: Seat) -> None:
    for name in ("stat", "locks", "loadavg", "keys"):
        assert await told(seat, f"read /proc/{name}") == "PermissionError"
    for name in ("sys", "1", "pressure"):
        assert await told(seat, f"read /proc/{name}") in ("", "FileNotFoundError")
    assert "MemTotal" in await told(seat, "read /proc/meminfo")


@inside
async def test_the_arenas_environment_is_not_there(
    make_puppet: MakePuppet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    async with Host(Isolation.BUBBLEWRAP) as host:
        seat = Seat(await host.start(make_puppet()), "m")
        names = (await told(seat, "environment")).split()
    allowed = {"ARENA_ADDRESS", "ARENA_TOKEN", "HOME", "LANG", "PATH", "PWD"}
    assert set(names) <= allowed


@inside
async def test_other_processes_are_not_there(seat: Seat) -> None:
    entries = (await told(seat, "read /proc")).split()
    numbers = [int(entry) for entry in entries if entry.isdigit()]
    assert max(numbers) < 100
    assert str(os.getpid()) not in entries


@inside
async def test_a_bot_inherits_no_open_files(seat: Seat) -> None:
    descriptors = (await told(seat, "read /proc/self/fd")).split()
    # Three streams, gRPC's own, and the listing itself, without a gap.
    assert all(int(number) < 30 for number in descriptors)
    maps = await told(seat, "read /proc/self/status")
    assert "CapEff:\t0000000000000000" in maps


@inside
@pytest.mark.parametrize(
    "place", ["/bot/x", "/usr/x", "/x", "/dev/x", "/run/arena/x", "/opt/python/x"]
)
async def test_nothing_outside_can_be_written(seat: Seat, place: str) -> None:
    assert await told(seat, f"write {place} 0") == "OSError"


@inside
@pytest.mark.parametrize("place", ["/tmp/x", "/dev/shm/x"])
async def test_what_can_be_written_is_bounded(seat: Seat, place: str) -> None:
    assert await told(seat, f"write {place} 8") == "written"
    assert await told(seat, f"write {place} 32") == "OSError"


@inside
async def test_a_single_file_has_no_neighbours(tmp_path: Path) -> None:
    scripted = SCRIPTED / "puppet.py"
    (tmp_path / "alone.py").write_bytes(scripted.read_bytes())
    (tmp_path / "neighbour.py").write_text("")
    async with Host(Isolation.BUBBLEWRAP) as host:
        seat = Seat(await host.start(find_bot(str(tmp_path / "alone.py"))), "m")
        assert await told(seat, "read /bot") == "alone.py"


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
