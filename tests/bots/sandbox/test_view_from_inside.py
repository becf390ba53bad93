"""A bot's view of the sandbox from inside: what it cannot see, reach or change there."""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.sandbox.denied_calls import NUMBERS
from arena.bots.sandbox.seccomp import MACHINES
from tests.support.puppets import new_puppet
from tests.support.seats import Seat

pytestmark = [pytest.mark.needs("bubblewrap"), pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def seat(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Seat]:
    """The seat of one puppet, which all these tests ask: nothing that they ask for changes it."""
    async with Host(Isolation.BUBBLEWRAP) as host:
        seat = Seat(await host.start(new_puppet(tmp_path_factory.mktemp("puppet"))), "m")
        await seat.acceptance()
        yield seat


async def test_there_is_no_network(seat: Seat) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert await seat.told(f"dial 127.0.0.1 {port}") == "OSError"
        assert await seat.told("dial 192.0.2.1 80") == "OSError"
    assert await seat.told("read /proc/net/dev") != ""
    assert "eth" not in await seat.told("read /proc/net/dev")


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


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_system_calls_that_lead_out_are_refused(seat: Seat, attempt: str) -> None:
    name, arguments, outcome = ATTEMPTS[attempt]
    number = NUMBERS[name][MACHINES[platform.machine()].column]
    assert await seat.told(f"call {number} {' '.join(map(str, arguments))}") == outcome


async def test_only_its_own_files_are_there(seat: Seat, tmp_path: Path) -> None:
    other = new_puppet(tmp_path)
    assert await seat.told("read /bot") == "bot.toml puppet.py"
    assert await seat.told(f"read {other.folder}") == "FileNotFoundError"
    assert await seat.told(f"read {Path(__file__)}") == "FileNotFoundError"
    assert await seat.told("read /home") == "FileNotFoundError"
    assert await seat.told("read /etc/passwd") == "FileNotFoundError"
    assert await seat.told("read /tmp") == ""
    assert await seat.told("read /run/arena") == "arena.sock"


async def test_the_machines_devices_cannot_be_changed(seat: Seat) -> None:
    for name in ("null", "zero", "full", "random", "urandom"):
        assert await seat.told(f"chmod /dev/{name}") == "PermissionError"
    for name in ("tty", "ptmx", "pts"):
        assert await seat.told(f"read /dev/{name}") == "FileNotFoundError"


async def test_what_the_machine_does_cannot_be_read(seat: Seat) -> None:
    for name in ("stat", "locks", "loadavg", "keys"):
        assert await seat.told(f"read /proc/{name}") == "PermissionError"
    for name in ("sys", "1", "pressure"):
        assert await seat.told(f"read /proc/{name}") in ("", "FileNotFoundError")
    assert "MemTotal" in await seat.told("read /proc/meminfo")


async def test_other_processes_are_not_there(seat: Seat) -> None:
    entries = (await seat.told("read /proc")).split()
    numbers = [int(entry) for entry in entries if entry.isdigit()]
    assert max(numbers) < 100
    assert str(os.getpid()) not in entries


async def test_a_bot_inherits_no_open_files(seat: Seat) -> None:
    descriptors = (await seat.told("read /proc/self/fd")).split()
    # Three streams, gRPC's own, and the listing itself, without a gap.
    assert all(int(number) < 30 for number in descriptors)
    maps = await seat.told("read /proc/self/status")
    assert "CapEff:\t0000000000000000" in maps


@pytest.mark.parametrize(
    "place", ["/bot/x", "/usr/x", "/x", "/dev/x", "/run/arena/x", "/opt/python/x"]
)
async def test_nothing_outside_can_be_written(seat: Seat, place: str) -> None:
    assert await seat.told(f"write {place} 0") == "OSError"
