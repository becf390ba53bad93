"""Removes the containers of an arena that has ended: `python remove_containers.py SOCKET LABEL`.

When its standard input ends, as it does with the arena, or brings a byte, this script asks the
engine that listens on SOCKET to remove all containers with LABEL. Like `supervise.py`, it uses the
standard library only.
"""

import http.client
import json
import os
import socket
import sys
import time
from urllib.parse import quote

# The engine may still be creating a container that the arena asked for just before its end.
LATER_TRIES = 2
PAUSE_S = 1.0


class EngineConnection(http.client.HTTPConnection):
    """A connection to the engine's socket."""

    def __init__(self, path: str) -> None:
        super().__init__("engine", timeout=60)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def ask(self, method: str, path: str) -> bytes:
        """Returns the body of the response. Raises OSError and http.client.HTTPException."""
        self.request(method, path)
        return self.getresponse().read()


def main(path: str, label: str) -> None:
    orderly = os.read(sys.stdin.fileno(), 1) != b""
    remove_all(path, label)
    for _ in range(0 if orderly else LATER_TRIES):
        time.sleep(PAUSE_S)
        remove_all(path, label)


def remove_all(path: str, label: str) -> None:
    engine = EngineConnection(path)
    filters = quote(json.dumps({"label": [label]}))
    for container in json.loads(engine.ask("GET", f"/containers/json?all=1&filters={filters}")):
        engine.ask("DELETE", f"/containers/{container['Id']}?force=1")
    engine.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
