"""What the scheduler knows of a competition: a source of jobs."""

from __future__ import annotations

from typing import Protocol

from sqlalchemy.orm import Session

from arena.league.remote_capacity import Room
from arena.queue import Job


class JobSource(Protocol):
    """Creates the jobs of one competition. Nothing else creates them."""

    def make(self, session: Session, keep: int, room: Room) -> list[Job]:
        """Returns new jobs, whose rows it has added, until `keep` are queued or no more are due.

        `room`: how many matches remote bots can take.
        """

    def versions(self, session: Session) -> set[str]:
        """Returns the digests of the versions that play, which workers may fetch in advance."""

    def over(self, session: Session) -> bool:
        """Returns whether it will create no more jobs, as things are."""
