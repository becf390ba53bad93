"""Notes which machines have workers, and takes those out of play on which bots fail more often."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from arena.hosting.metrics import Metrics
from arena.league import fleet
from arena.moment import rfc3339
from arena.operations.audit_log import begun
from arena.operations.caller import THE_ARENA
from arena.queue import QueueSilent, QueueWatch, WorkerReport
from arena.store.schema import DONE
from arena.store.session import Store, with_room
from arena.views.activity import machines_lately

log = logging.getLogger(__name__)

LOOK_EVERY_S = 10.0


class FleetWatch:
    """Looks at the workers of the queue at an address, and at what they have played. `key`: signs
    their reports. `metrics`: where it tells of their machines."""

    def __init__(self, store: Store, redis: str, key: bytes, metrics: Metrics) -> None:
        self._store = store
        self._watch = QueueWatch(redis)
        self._key = key
        self._metrics = metrics
        with store.reading() as session:
            self._quarantine = fleet.Quarantine(session)

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
            reports = ()
        try:
            await with_room(lambda: self.note(reports))
        except OperationalError as error:  # a lock held too long, say, and it may pass
            log.warning("the workers are not noted: %s", error.orig)

    def note(self, reports: tuple[WorkerReport, ...]) -> None:
        """Notes workers that are there, and takes machines out of play."""
        with self._store.writing(durable=False) as session:
            fleet.note_reports(session, reports)
            fleet.forget_machines(session)
        with self._store.writing() as session:
            for found in self._quarantine.look(session):
                _tell(session, found)
            self._metrics.have_machines(machines_lately(session))


def _tell(session: Session, found: fleet.Quarantined) -> None:
    """Notes a quarantine where organisers look: in the audit log, and in that of the arena."""
    told = {
        "machine": found.machine,
        "since": rfc3339(found.since),
        "void": found.void,
        "left": found.left,
    }
    begun(session, THE_ARENA, "quarantine_machine", told, DONE)
    log.warning(
        "the machine %s gets no more jobs: bots fail there more often than elsewhere. %d of its"
        " matches are void, %d jobs stay",
        *(found.machine, sum(found.void.values()), found.left),
    )
