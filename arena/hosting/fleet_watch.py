"""Notes which machines have workers, and their versions."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import OperationalError

from arena.league import fleet
from arena.queue import QueueSilent, QueueWatch, WorkerReport
from arena.store.session import Store, with_room

log = logging.getLogger(__name__)

LOOK_EVERY_S = 10.0


class FleetWatch:
    """Looks at the workers of the queue at an address. `key`: signs their reports."""

    def __init__(self, store: Store, redis: str, key: bytes) -> None:
        self._store = store
        self._watch = QueueWatch(redis)
        self._key = key

    async def run(self) -> None:
        """Looks until cancelled."""
        try:
            while True:
                await self._look()
                await asyncio.sleep(LOOK_EVERY_S)
        finally:
            await self._watch.close()

    async def _look(self) -> None:
        try:
            reports = await self._watch.reports(self._key)
        except QueueSilent:  # the league's own queue reports it
            return
        try:
            await with_room(lambda: self._note(reports))
        except OperationalError as error:  # a lock held too long, say, and it may pass
            log.warning("the workers are not noted: %s", error.orig)

    def _note(self, reports: tuple[WorkerReport, ...]) -> None:
        if reports:
            with self._store.writing(durable=False) as session:
                fleet.note_reports(session, reports)
