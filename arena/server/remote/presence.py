"""The presence of remote bots, recorded in the store for readers."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from arena.failures import STORE_TROUBLE
from arena.store.remote_bots import forget_connections, set_connected
from arena.store.session import Store

log = logging.getLogger(__name__)

TRY_AGAIN_S = 1.0


class PresenceRecorder:
    """Records connects and disconnects in the order in which they are reported, in a thread of its
    own: no stream waits for the store, and the end of a stream interrupts nothing.

    A context manager: on entry and on exit it marks all bots as disconnected.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._writer = ThreadPoolExecutor(1, "presence")
        self._closed = Event()

    def changed(self, bot: str, connected: bool) -> None:
        """Records that a bot has connected or disconnected."""
        log.info("the remote bot %s %s", bot, "connected" if connected else "disconnected")
        recorded = self._writer.submit(self._record, bot, connected)
        recorded.add_done_callback(lambda done: done.result())  # logs a failure

    def __enter__(self) -> PresenceRecorder:
        self._forget()  # a server that was killed could not
        return self

    def __exit__(self, *reason: object) -> None:
        self._closed.set()
        self._writer.shutdown()
        self._forget()

    def _record(self, bot: str, connected: bool) -> None:
        while not self._closed.is_set():
            try:
                with self._store.writing() as session:
                    set_connected(session, bot, connected)
                return
            except STORE_TROUBLE as trouble:
                log.warning(
                    "the presence of a remote bot cannot be recorded at the moment: %s", trouble
                )
                self._closed.wait(TRY_AGAIN_S)

    def _forget(self) -> None:
        with self._store.writing() as session:
            forget_connections(session)
