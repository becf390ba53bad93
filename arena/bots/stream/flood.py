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
import struct
import termios
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, process_time, thread_time
from typing import Generic, TypeVar

OPEN_FILES = Path("/dev/fd")
# gRPC is worth a look while its threads have taken this share of a processor.
BUSY = 0.2
FRESH_S = 0.1
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
        """Returns the connections that flood. `waiting`: their bytes that wait now. `heard`: tells
        the bytes of messages that a connection has brought so far."""
        self._last = {one: self._judge(one, waiting[one], heard(one)) for one in waiting}
        return [one for one, look in self._last.items() if look.suspicious >= LOOKS]

    def _judge(self, one: K, waiting: int, heard: int) -> _Look:
        if (last := self._last.get(one)) is None:
            return _Look(waiting, heard, 0)
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
        return self._used - last_used > BUSY * (self._at - last_at)


def _used_by_others() -> float:
    return process_time() - thread_time()


class WaitingBytes:
    """The bytes that wait in connections to this process's Unix sockets, looked at every FRESH_S
    seconds at most whoever asks, and only while gRPC is busy."""

    def __init__(self) -> None:
        self._busy = BusyThreads()
        self._by_path: dict[str, dict[int, int]] = {}
        self._read_at = -FRESH_S

    def at(self, path: str) -> Mapping[int, int]:
        """Returns the bytes that wait, by the inode of the connection."""
        if monotonic() >= self._read_at + FRESH_S:
            self._read_at = monotonic()
            self._by_path = _by_path() if self._busy() else {}
        return self._by_path.get(path, {})


WAITING = WaitingBytes()
"""What waits in this process."""


def _by_path() -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for number in open_files():
        with suppress(OSError), socket_of(number) as one:  # closed, no socket, or not connected
            if one.family == socket.AF_UNIX:
                waiting, inode = waiting_in(one), os.fstat(number).st_ino
                found.setdefault(one.getsockname(), {})[inode] = waiting
    return found


def open_files() -> list[int]:
    """Returns the numbers of this process's open files."""
    return [int(path.name) for path in OPEN_FILES.iterdir()]


def socket_of(number: int) -> socket.socket:
    """Returns a socket of its own for an open file, for which gRPC has another. Raises OSError."""
    own = os.dup(number)
    try:
        return socket.socket(fileno=own)
    except OSError:
        os.close(own)
        raise


def waiting_in(connection: socket.socket) -> int:
    """Returns how many bytes wait to be read. Raises OSError."""
    raw = fcntl.ioctl(connection.fileno(), termios.FIONREAD, struct.pack("i", 0))
    return int(struct.unpack("i", raw)[0])
