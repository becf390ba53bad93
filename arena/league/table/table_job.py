"""The one job of a table."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.job_rows import job_of, row_of
from arena.league.remote_capacity import Room, nobody_is_there
from arena.queue import Job
from arena.store import schema
from arena.store.schema import CompetitionState, JobState, Table


class TableJobs:
    """Creates the job of one table as soon as its person is there, and ends the table when the job
    is settled."""

    def __init__(self, session: Session, table: Table) -> None:
        self.name = table.name
        self._job: Mapping[str, Any] = json.loads(table.job)

    def make(self, session: Session, keep: int, room: Room = nobody_is_there) -> list[Job]:
        """Returns the job, whose row it has added, or nothing."""
        table = session.get_one(Table, self.name)
        if table.state is not CompetitionState.RUNNING:
            return []
        state = session.scalar(
            sa.select(schema.Job.state).where(schema.Job.competition == self.name)
        )
        if state is None:
            job = job_of(table.job, secrets.token_hex())
            session.add(row_of(job))
            session.flush()
            return [job]
        if state is not JobState.QUEUED:
            table.state, table.address = CompetitionState.OVER, ""
        return []

    def versions(self, session: Session) -> set[str]:
        """Returns the digests of the versions that play."""
        return {entrant["version"] for entrant in self._job["entrants"] if not entrant["remote"]}

    def over(self, session: Session) -> bool:
        """Returns whether its match is settled."""
        return session.get_one(Table, self.name).state is not CompetitionState.RUNNING
