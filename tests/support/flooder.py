"""Floods an address with what HTTP/2 allows, but is no message: `python -m tests.support.flooder
ADDRESS KIND`. Prints when it has begun, and ends when the other side has ended all connections."""

from __future__ import annotations

import socket
import sys
import threading
from contextlib import suppress

from bench.hostile_bot.raw_http2 import SETTINGS, beginning, connected, frame, ping

CONNECTIONS = 4
UNKNOWN = 99
KINDS = {
    "pings": ping(),
    "settings": frame(SETTINGS, 0, 0),
    "unknown": frame(UNKNOWN, 0, 0),
}


def flood(connection: socket.socket, piece: bytes) -> None:
    threading.Thread(target=drain, args=(connection,), daemon=True).start()
    with suppress(OSError):
        while True:
            connection.sendall(piece * 10_000)  # so that some always wait to be read


def drain(connection: socket.socket) -> None:
    with suppress(OSError):
        while connection.recv(65_536):
            pass


if __name__ == "__main__":
    floods = []
    for _ in range(CONNECTIONS):
        connection = connected(sys.argv[1])
        connection.sendall(beginning())
        floods.append(threading.Thread(target=flood, args=(connection, KINDS[sys.argv[2]])))
        floods[-1].start()
    print("flooding", flush=True)
    for thread in floods:
        thread.join()
