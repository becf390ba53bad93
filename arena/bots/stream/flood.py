"""Connections that keep gRPC busy without bringing messages.

gRPC reads from a connection for as long as bytes wait there, whatever they are: HTTP/2's pings and
settings, or frames of a kind that nobody knows. With its older engine (`arena/transport.py`) all
others wait meanwhile, and nothing of that reaches gRPC's users. But the kernel tells how many bytes
wait in each connection.
"""

from __future__ import annotations

import fcntl
import os
import socket
import sys
import termios
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import monotonic, process_time, thread_time
from typing import Generic, TypeVar

from arena.bots.stream.socket_readings import SocketReadings

OPEN_FILES = "/dev/fd"
NOTHING = bytes(4)  # an int, for the answer
# gRPC is worth a look while its threads have taken this share of a processor, or of what an
# overloaded machine has for each thread.
BUSY = 0.2
# A connection is suspicious if it has so many bytes waiting at two looks in a row, others each
# time, and has brought no more than so many bytes of messages in between. Honest bots' answers are
# shorter; a long message does not wait for as long as that.
WAITING_BYTES, MESSAGE_BYTES = 1024, 64 * 1024
# It floods if it was so at so many looks; each other look makes up for a part of one.
LOOKS, MADE_UP = 2, 0.25

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Look:
    waiting: int
    heard: int
    suspicious: float


class FloodWatch(Generic[K]):
    """Judges connections by looks at them, which should be some tenths of a second apart."""

    def __init__(self) -> None:
        self._last: dict[K, _Look] = {}

    def look(self, waiting: Mapping[K, int], heard: Callable[[K], int]) -> list[K]:
        """Returns the connections that flood. `waiting`: the bytes that wait now, where some do.
        `heard`: tells the bytes of messages that a connection has brought so far."""
        looks = {
            one: self._judge(one, waiting.get(one, 0), heard(one))
            for one in {*waiting, *self._last}
        }
        self._last = {one: look for one, look in looks.items() if look.waiting or look.suspicious}
        return [one for one, look in looks.items() if look.suspicious >= LOOKS]

    def _judge(self, one: K, waiting: int, heard: int) -> _Look:
        last = self._last.get(one, _Look(0, heard, 0.0))
        if (
            min(waiting, last.waiting) >= WAITING_BYTES
            and waiting != last.waiting
            and heard - last.heard < MESSAGE_BYTES
        ):
            return _Look(waiting, heard, last.suspicious + 1)
        return _Look(waiting, heard, max(0.0, last.suspicious - MADE_UP))


class BusyThreads:
    """Tells whether other threads than the caller's are busy. Always ask in the same thread."""

    def __init__(self) -> None:
        self._at, self._used = monotonic(), _used_by_others()

    def __call__(self) -> bool:
        """Returns whether they were since the last call."""
        last_at, last_used = self._at, self._used
        self._at, self._used = monotonic(), _used_by_others()
        return self._used - last_used > BUSY * _share_of_a_thread() * (self._at - last_at)


def _share_of_a_thread() -> float:
    """Returns how much of a processor the machine has for each thread that wants one, at most 1."""
    return min(1.0, (os.cpu_count() or 1) / max(1.0, os.getloadavg()[0]))


def _used_by_others() -> float:
    return process_time() - thread_time()


def full_files() -> Iterator[tuple[int, int]]:
    """Yields the numbers of the open files in which WAITING_BYTES or more wait to be read, and how
    many."""
    for number in open_files():
        with suppress(OSError):  # closed, or nothing can wait there
            raw = fcntl.ioctl(number, termios.FIONREAD, NOTHING)
            if (waiting := int.from_bytes(raw, sys.byteorder)) >= WAITING_BYTES:
                yield number, waiting


def open_files() -> list[int]:
    """Returns the numbers of this process's open files."""
    return [int(name) for name in os.listdir(OPEN_FILES)]  # noqa: PTH208  # four times as fast


@contextmanager
def socket_of(number: int) -> Iterator[socket.socket]:
    """Yields the socket that an open file is, and does not close it. Raises OSError.

    Nor does it close a duplicate: if the file were a database's, this process would lose all its
    locks on that (fcntl(2)).
    """
    one = socket.socket(fileno=number)
    try:
        yield one
    finally:
        one.detach()


_grpc_is_busy = BusyThreads()


def _read() -> dict[str, dict[int, int]]:
    if not _grpc_is_busy():
        return {}
    found: dict[str, dict[int, int]] = {}
    for number, waiting in full_files():
        with suppress(OSError), socket_of(number) as one:  # closed, or no socket
            if one.family == socket.AF_UNIX:
                found.setdefault(one.getsockname(), {})[os.fstat(number).st_ino] = waiting
    return found


WAITING = SocketReadings[Mapping[int, int]](_read, otherwise={})
"""The bytes that wait in connections to each socket, by their inodes, where WAITING_BYTES or more
do; none while gRPC is not busy."""
