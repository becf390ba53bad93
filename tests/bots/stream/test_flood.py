"""Connections that keep gRPC busy without bringing messages are found, and only they."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from arena.bots.stream import Gateway, flood
from arena.bots.stream.flood import (
    MESSAGE_BYTES,
    WAITING_BYTES,
    BusyThreads,
    FloodWatch,
    full_files,
    open_files,
    socket_of,
)
from arena.protocol import FaultKind
from tests.bots.stream.test_gateway import TOKEN, Owner

MUCH = 100 * WAITING_BYTES
KINDS = ("pings", "settings", "unknown")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
async def test_a_bot_that_floods_is_lost(tmp_path: Path, kind: str) -> None:
    owner = Owner()
    gateway = Gateway(tmp_path, TOKEN, owner)
    await gateway.open()
    flooder = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.flooder", f"unix:{tmp_path}/arena.sock", kind
    )
    try:
        while not owner.losses and flooder.returncode is None:
            await asyncio.sleep(0.05)
    finally:
        with suppress(ProcessLookupError):
            flooder.kill()
        await flooder.wait()
        await gateway.close()
    # gRPC itself has ended the connections, as it sometimes can, or the bot is lost.
    assert [loss.kind for loss in owner.losses] in ([], [FaultKind.PROTOCOL_ERROR])
    assert owner.losses or flooder.returncode == 0


@pytest.mark.parametrize(
    ("load", "used_s", "busy"),
    [
        (0.0, 0.15, False),
        (0.0, 0.25, True),
        (4.0, 0.15, False),
        (30.0, 0.15, True),
        (30.0, 0, False),
    ],
)
def test_threads_that_get_little_of_an_overloaded_machine_are_busy(
    monkeypatch: pytest.MonkeyPatch, load: float, used_s: float, busy: bool
) -> None:
    now, used = iter([0.0, 1.0]), iter([0.0, used_s])
    monkeypatch.setattr(flood, "monotonic", lambda: next(now))
    monkeypatch.setattr(flood, "_used_by_others", lambda: next(used))
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0.0, 0.0))
    assert BusyThreads()() is busy


def judged(looks: Sequence[tuple[int, int]]) -> list[bool]:
    """Returns for each look whether the connection floods. `looks`: what waits, and what was heard
    until then."""
    watch = FloodWatch[str]()
    return [
        watch.look({"c": waiting}, {"c": heard}.__getitem__) == ["c"] for waiting, heard in looks
    ]


def test_what_waits_at_every_look_and_is_no_message_is_a_flood() -> None:
    assert judged([(MUCH, 0), (MUCH + 1, 0), (MUCH, 0)]) == [False, False, True]


def test_a_message_that_waits_for_gRPC_is_no_flood() -> None:
    assert not any(judged([(MUCH, 0)] * 10))


def test_short_answers_are_no_flood() -> None:
    assert not any(judged([(size, 0) for size in range(WAITING_BYTES - 20, WAITING_BYTES)]))


def test_messages_one_after_another_are_no_flood() -> None:
    assert not any(judged([(MUCH + i, i * MESSAGE_BYTES) for i in range(10)]))


def test_a_flood_with_pauses_is_found() -> None:
    looks = [(MUCH, 0), (MUCH + 1, 0), (0, 0)] * 10
    assert any(judged(looks))


def test_one_that_floods_is_told_from_one_that_waits() -> None:
    watch, heard = FloodWatch[str](), {"flood": 0, "waits": 0}
    for size in range(MUCH, MUCH + 3):
        found = watch.look({"flood": size, "waits": MUCH}, heard.__getitem__)
    assert found == ["flood"]


def test_a_look_at_open_files_loses_no_lock(tmp_path: Path) -> None:
    """SQLite's locks depend on it: without them others shrink files that are mapped here."""
    locks = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    with (tmp_path / "database").open("w") as database:
        fcntl.lockf(database, fcntl.LOCK_EX)
        database.write("7" * WAITING_BYTES)
        database.flush()
        for number in open_files():
            with suppress(OSError), socket_of(number):
                pass
        other = subprocess.run([sys.executable, "-c", locks, database.name], capture_output=True)
        assert b"BlockingIOError" in other.stderr


def test_the_kernel_tells_what_waits() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(bytes(WAITING_BYTES - 1))
        assert ours.fileno() not in dict(full_files())
        theirs.send(bytes(1))
        assert dict(full_files())[ours.fileno()] == WAITING_BYTES
