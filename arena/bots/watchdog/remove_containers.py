"""Removes the containers of an arena that is gone: `python remove_containers.py SOCKET LABEL`.

When its standard input ends, which it does with the arena, or when something comes on it, the
engine that listens on SOCKET is told to remove all containers with LABEL. Like `supervise.py`, this
needs nothing but the standard library.
"""

import http.client
import json
import os
import socket
import sys
import time
from urllib.parse import quote

# A container that the engine was asked for in the arena's last moment may come a little later.
LOOKS = 2
PAUSE_S = 1.0


class Connection(http.client.HTTPConnection):
    """A connection to the engine's socket."""

    def __init__(self, path: str) -> None:
        super().__init__("engine", timeout=60)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def ask(self, method: str, path: str) -> bytes:
        """Returns the answer to a request. Raises OSError and http.client.HTTPException."""
        self.request(method, path)
        return self.getresponse().read()


def main(path: str, label: str) -> None:
    orderly = os.read(sys.stdin.fileno(), 1) != b""
    remove_all(path, label)
    for _ in range(0 if orderly else LOOKS):
        time.sleep(PAUSE_S)
        remove_all(path, label)


def remove_all(path: str, label: str) -> None:
    engine = Connection(path)
    filters = quote(json.dumps({"label": [label]}))
    for container in json.loads(engine.ask("GET", f"/containers/json?all=1&filters={filters}")):
        engine.ask("DELETE", f"/containers/{container['Id']}?force=1")
    engine.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
