"""Pages served in a thread of the test, and event streams read from raw sockets."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import sqlalchemy as sa
import uvicorn
from starlette.applications import Starlette

from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.session import Store
from arena.web.app import Site, pages_app
from arena.web.events import StreamBounds
from tests.support.patience import PATIENCE_S, until


@contextmanager
def served(app: Starlette) -> Iterator[tuple[str, int]]:
    """Serves an application for as long as the context lasts; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        serving = server.serve(sockets=[listener])
        thread = threading.Thread(target=asyncio.run, args=(serving,))
        thread.start()
        try:
            yield listener.getsockname()[:2]
        finally:
            app.state.streams.stop()
            server.should_exit = True
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


@contextmanager
def served_folder(data: Path, bounds: StreamBounds) -> Iterator[tuple[tuple[str, int], Store]]:
    """Serves the pages of a data folder; yields their address, and the store that they read."""
    store = open_store(data, "read")
    try:
        with served(pages_app(Site(DataFolder(data), store), bounds)) as address:
            yield address, store
    finally:
        store.close()


@contextmanager
def pages_here(data: Path) -> Iterator[str]:
    """Serves the pages of a data folder without a process of their own, whose start takes two
    seconds; yields their origin."""
    with served_folder(data, StreamBounds()) as ((host, port), _):
        yield f"http://{host}:{port}"


def check_looks(store: Store, bounds: StreamBounds) -> None:
    """Checks, for three looks, that the store is asked one thing once a period."""
    asked: list[str] = []

    def note(*context: Any) -> None:
        if (statement := context[2]) != "BEGIN":
            asked.append(statement)

    sa.event.listen(store.engine, "before_cursor_execute", note)
    began = monotonic()
    until(lambda: len(asked) >= 3, "three looks")
    count = len(asked)
    sa.event.remove(store.engine, "before_cursor_execute", note)
    assert count - 1 <= (monotonic() - began) / bounds.period_s, asked


class Visitor:
    """Somebody who asks for an event stream and reads it as it comes."""

    def __init__(
        self, address: tuple[str, int], path: str, *, buffer: int = 0, **headers: str
    ) -> None:
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE_S)
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(address)
        asked = {"Host": "arena", "Accept_Encoding": "gzip"} | headers
        lines = [f"GET {path} HTTP/1.1"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in asked.items()]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self.received = ""

    def until(self, words: str) -> str:
        """Reads until these words have come; returns all that has."""
        give_up_at = monotonic() + PATIENCE_S
        while words not in self.received:
            assert monotonic() < give_up_at, self.received[-2_000:]
            data = self.socket.recv(65_536)
            assert data, f"The stream ended without {words!r}: {self.received[-2_000:]}"
            self.received += data.decode()
        return self.received

    def rest(self) -> str:
        """Reads to the end of the connection and closes it; returns all that has come."""
        while data := self.socket.recv(65_536):
            self.received += data.decode()
        self.close()
        return self.received

    def close(self) -> None:
        self.socket.close()
