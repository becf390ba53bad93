"""Which remote bots are connected, written down for readers."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from arena.server.failures import STORE_TROUBLE
from arena.store.remotes import forget_connections, set_connected
from arena.store.session import Store

log = logging.getLogger(__name__)

TRY_AGAIN_S = 1.0


class Attendance:
    """Is told who comes and who leaves, and writes it down in the order in which it is told. No
    stream waits for that, and no stream's end stops it.

    A context manager: before and after it nobody is connected.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._writer = ThreadPoolExecutor(1, "attendance")
        self._over = Event()

    def changed(self, bot: str, connected: bool) -> None:
        """A bot is connected now, or is no more."""
        log.info("the remote bot %s %s", bot, "dialled in" if connected else "has left")
        written = self._writer.submit(self._write_down, bot, connected)
        written.add_done_callback(lambda done: done.result())  # a failure shows in the log

    def __enter__(self) -> Attendance:
        self._forget()  # a server that was killed could not
        return self

    def __exit__(self, *reason: object) -> None:
        self._over.set()
        self._writer.shutdown()
        self._forget()

    def _write_down(self, bot: str, connected: bool) -> None:
        while not self._over.is_set():
            try:
                with self._store.writing() as session:
                    set_connected(session, bot, connected)
                return
            except STORE_TROUBLE as trouble:
                log.warning("who is connected cannot be written down just now: %s", trouble)
                self._over.wait(TRY_AGAIN_S)

    def _forget(self) -> None:
        with self._store.writing() as session:
            forget_connections(session)
