"""The client's side of HTTP/2, as far as one needs it to break it: frames as bytes, sent whatever
the other side says. RFC 9113 and 7541 define them."""

from __future__ import annotations

import socket
import struct
from collections.abc import Mapping

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING = 0, 1, 3, 4, 6
ACK, END_STREAM, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE = 4
CANCEL = 8
# The static table has POST and http; the others are literals, never indexed.
POST, HTTP, PATH, AUTHORITY, LITERAL = b"\x83", b"\x86", b"\x04", b"\x01", b"\x00"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def beginning(window: int = 65_535) -> bytes:
    """Returns what a client sends first. `window`: how many bytes of a stream it takes unasked."""
    settings = struct.pack(">HI", INITIAL_WINDOW_SIZE, window)
    return PREFACE + frame(SETTINGS, 0, 0, settings) + frame(SETTINGS, ACK, 0)


def call(stream: int, method: str, headers: Mapping[str, str] | None = None) -> bytes:
    """Returns the begin of a gRPC call."""
    block = POST + HTTP + PATH + _text(method) + AUTHORITY + _text("a")
    for name, value in {
        "content-type": "application/grpc",
        "te": "trailers",
        **(headers or {}),
    }.items():
        block += LITERAL + _text(name) + _text(value)
    return frame(HEADERS, END_HEADERS, stream, block)


def message(stream: int, raw: bytes) -> bytes:
    """Returns a gRPC message."""
    return frame(DATA, 0, stream, b"\0" + struct.pack(">I", len(raw)) + raw)


def reset(stream: int) -> bytes:
    return frame(RST_STREAM, 0, stream, struct.pack(">I", CANCEL))


def ping() -> bytes:
    return frame(PING, 0, 0, bytes(8))


def connected(address: str) -> socket.socket:
    """Returns a connection to "unix:PATH" or "HOST:PORT"."""
    if address.startswith("unix:"):
        one = socket.socket(socket.AF_UNIX)
        one.connect(address.removeprefix("unix:"))
        return one
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)))


def _text(text: str) -> bytes:
    """Returns a string of at most 126 bytes without Huffman's code."""
    raw = text.encode()
    return bytes([len(raw)]) + raw
