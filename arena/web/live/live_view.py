"""Jobs of the store, and the part of one still in play that may be shown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league import job_of
from arena.operations.readable import secrecy
from arena.queue import Extent, Job, Seen
from arena.store import schema
from arena.store.schema import JobState, Ladder, Match, table_of
from arena.store.session import Store
from arena.web.events import State
from arena.web.live.partial_record import partial_record
from arena.web.live.receiver import NotOnAir, Receiver
from arena.web.replay import replay_document
from sevens.record.v1.match_record_pb2 import MatchRecord

NOTHING_YET = (
    "The match is shown {0:g} seconds late, and has not been in play for so long. This page begins"
    " by itself as soon as it may, and leads to the whole match once that is over."
)
LADDERS = table_of(Ladder)
DOCUMENTS = 16  # that are remembered; watchers of one match ask for the same


@dataclass(frozen=True)
class JobShown:
    """A job.

    `matches`: the ids of its matches, once they are recorded.
    `delay_s`: how late its ladder wants it to be shown; None: as late as the arena's.
    """

    job: Job
    state: JobState
    offered_at: datetime
    matches: tuple[str, ...] = ()
    delay_s: int | None = None

    @property
    def secrecy(self) -> str:
        """The reason why nothing of it is shown before it is over; empty if it may be followed."""
        return secrecy(self.job)


@dataclass(frozen=True)
class LiveView:
    """The part of a job that may be shown at a moment.

    `record`: of the match in play, so far; None if nothing may be shown.
    `sentence`: its state in words.
    """

    shown: JobShown
    record: MatchRecord | None
    sentence: str

    @property
    def state(self) -> State:
        """The same as a state of an event stream."""
        record = self.record
        progress = (
            (record.attempt, record.match_number, len(record.choices), len(record.faults))
            if record is not None
            else (self.sentence,)
        )
        data = {
            "decisions": None if record is None else len(record.choices),
            "sentence": self.sentence,
            "matches": self.shown.matches,
        }
        return State("/".join(map(str, progress)), json.dumps(data))


async def live_view(store: Store, receiver: Receiver, name: str, delay_s: float) -> LiveView:
    """Looks at a job, and keeps its match broadcast if it may be followed. Raises ArenaError.

    `delay_s`: of jobs whose ladder sets none.
    """
    shown = await asyncio.to_thread(_read, store, name)
    delay_s = delay_s if shown.delay_s is None else shown.delay_s
    if shown.state != JobState.QUEUED:
        return LiveView(shown, None, _ended(shown))
    if shown.secrecy:
        return LiveView(shown, None, shown.secrecy)
    try:
        seen = await receiver.watch(name)
    except NotOnAir as reason:
        return LiveView(shown, None, str(reason))
    extent = shown_extent(shown.job, seen, delay_s) if seen is not None else None
    if seen is None or extent is None:
        return LiveView(shown, None, NOTHING_YET.format(delay_s))
    record = partial_record(shown.job, seen.match, extent)
    late = f"Shown as it was {delay_s:g} seconds ago." if delay_s else "Shown without delay."
    return LiveView(shown, record, late)


def shown_extent(job: Job, seen: Seen, delay_s: float) -> Extent | None:
    """Returns the part of a match that may be shown: all that there was `delay_s` seconds ago; None
    if nothing may."""
    if secrecy(job):
        return None
    needed_ms = delay_s * 1000 - seen.passed_ms
    old_enough = [extent for extent in seen.match.extents if extent.age_ms >= needed_ms]
    return max(old_enough, key=lambda extent: extent.choices, default=None)


@lru_cache(DOCUMENTS)
def document_text(record: bytes) -> str:
    """Returns the document by which a record is drawn, as JSON. Raises BadRecord."""
    return json.dumps(replay_document(MatchRecord.FromString(record)), separators=(",", ":"))


def job_shown(session: Session, name: str) -> JobShown:
    """Returns the job of that name. Raises ArenaError."""
    row = session.get(schema.Job, name)
    if row is None:
        raise ArenaError(
            Kind.NOT_FOUND, "There is no such job. The page “Live” lists those in play."
        )
    ids = sa.select(Match.id).where(Match.job == name).order_by(Match.number)
    of_ladder = sa.select(LADDERS.c.live_delay_s).where(LADDERS.c.name == row.competition)
    return JobShown(
        job_of(row.body),
        row.state,
        row.created_at,
        matches=tuple(session.scalars(ids)),
        delay_s=session.scalar(of_ladder),
    )


def jobs_in_play(session: Session, names: Collection[str]) -> list[JobShown]:
    """Returns those of these jobs that are still to be recorded, oldest first."""
    rows = sa.select(schema.Job).where(schema.Job.id.in_(names))
    queued = rows.where(schema.Job.state == JobState.QUEUED).order_by(schema.Job.created_at)
    return [
        JobShown(job_of(row.body), row.state, row.created_at) for row in session.scalars(queued)
    ]


def _read(store: Store, name: str) -> JobShown:
    with store.reading() as session:
        return job_shown(session, name)


def _ended(shown: JobShown) -> str:
    if shown.state in (JobState.PARKED, JobState.DROPPED):
        return "The arena could not play it, and gave it up."
    return "The match is over." if len(shown.matches) == 1 else "Its matches are over."
