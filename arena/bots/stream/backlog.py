"""The connections that wait to be accepted, by the path of their Unix socket.

gRPC accepts in a loop until none is left, in the one thread that carries all its messages. A
program that connects faster than it accepts stops every bot of this process, and nothing of that
reaches gRPC's users. The kernel knows: sock_diag(7).
"""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterator

from arena.bots.stream.socket_readings import SocketReadings

REPLY_BYTES = 64 * 1024

SOCK_DIAG = 4  # the protocol of AF_NETLINK, and its only request
SOCK_DIAG_BY_FAMILY = 20
REQUEST_DUMP = 0x301
NO_MORE = (2, 3)  # an error, such as from a kernel without it; the end of a dump
LISTENING = 1 << 10
SHOW_NAME, SHOW_QUEUE = 1, 16
NAME, QUEUE = 0, 4
ANY = 0xFFFFFFFF
# Headers: of a message; of a request; of a socket before its attributes; of an attribute.
HEADER, REQUEST, ATTRIBUTE = (
    struct.Struct("=IHHII"),
    struct.Struct("=BBHIIIII"),
    struct.Struct("=HH"),
)
SOCKET_BYTES = 16


def read() -> dict[str, int]:
    """Returns how many connections wait at each Unix socket; nothing where the kernel does not
    say, as on macOS."""
    if not hasattr(socket, "AF_NETLINK"):
        return {}
    asked = REQUEST.pack(socket.AF_UNIX, 0, 0, LISTENING, 0, SHOW_NAME | SHOW_QUEUE, ANY, ANY)
    head = HEADER.pack(HEADER.size + len(asked), SOCK_DIAG_BY_FAMILY, REQUEST_DUMP, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, SOCK_DIAG) as kernel:
        kernel.sendall(head + asked)
        return dict(_replies(kernel))


def _replies(kernel: socket.socket) -> Iterator[tuple[str, int]]:
    while True:
        raw, at = kernel.recv(REPLY_BYTES), 0
        while at < len(raw):
            size, kind, *_ = HEADER.unpack_from(raw, at)
            if kind in NO_MORE:
                return
            known = dict(_attributes(raw[at + HEADER.size + SOCKET_BYTES : at + size]))
            if NAME in known and QUEUE in known:
                path = known[NAME].rstrip(b"\0").decode(errors="surrogateescape")
                yield path, int.from_bytes(known[QUEUE][:4], sys.byteorder)
            at += _aligned(size)


def _attributes(raw: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(raw):
        size, kind = ATTRIBUTE.unpack_from(raw, at)
        yield kind, raw[at + ATTRIBUTE.size : at + size]
        at += _aligned(size)


def _aligned(size: int) -> int:
    return (size + 3) & ~3


BACKLOGS = SocketReadings(read, otherwise=0)
"""The number of connections that wait at each socket; 0 where the kernel does not say."""
