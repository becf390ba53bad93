"""The jobs of a tournament: pairs its rounds, and has their tables played."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.competitions import outdated
from arena.league.jobs import new_job, row_of
from arena.league.remote_capacity import RemotePlaces, Room, nobody_is_there
from arena.league.tournament.deals import seed_text
from arena.league.tournament.rows import History, Known, history_of, pairing_document
from arena.league.tournament.tournaments import terms_of
from arena.queue import Entrant, Job
from arena.store import (
    CompetitionState,
    Job as JobRow,
    JobState,
    Tournament,
    TournamentEntrant,
    TournamentGroup,
    TournamentRound,
    Version,
    VersionState,
    job_counts,
)
from arena.tournament import (
    Finished,
    Meeting,
    MeetingResult,
    Pairing,
    Terms,
    TournamentError,
    Waiting,
    next_step,
)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Due:
    """A group that a table has still to play."""

    meeting: Meeting
    number: int


class TournamentJobs:
    """Creates the jobs of one tournament.

    Everything that it decides by is in the store, so it may end at any moment, and another goes on.
    A round is paired outside the transaction, since that can take seconds; should anything have
    changed meanwhile, it is paired again.
    """

    def __init__(self, session: Session, tournament: Tournament) -> None:
        self.name = tournament.name
        self._known: Known = {}
        self._pairing: tuple[object, Future[Pairing]] | None = None

    def make(self, session: Session, keep: int, room: Room = nobody_is_there) -> list[Job]:
        """Returns new jobs, whose rows it has added, until `keep` are queued or no more are due.
        Pairs the next round when one is over, and ends the tournament after the last."""
        tournament = session.get_one(Tournament, self.name)
        if tournament.state is not CompetitionState.RUNNING or self._problem(session, tournament):
            return []
        _withdraw_retired(session, tournament)
        history = history_of(session, self.name, self._known)
