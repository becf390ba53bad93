"""The jobs of a tournament: has its tables played, and pairs the next round when one is over."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.competitions import outdated, players_by_seat
from arena.league.deal_secret import round_seed_text
from arena.league.job_rows import new_job, row_of
from arena.league.remote_capacity import RemotePlaces, Room, nobody_is_there
from arena.league.tournament.events import add_event
from arena.league.tournament.rows import History, Known, history_of, pairing_document
from arena.league.tournament.schedule import start_when_due
from arena.league.tournament.tournaments import (
    drawn_from,
    end,
    leave_tournament,
    stop,
    terms_of,
)
from arena.queue import Entrant, Job
from arena.store.queries import job_counts, queued_jobs
from arena.store.schema import (
    CompetitionState,
    JobState,
    Tournament,
    TournamentEntrant,
    TournamentEventKind,
    TournamentGroup,
    TournamentRound,
    Version,
    VersionState,
    now,
)
from arena.tournament import (
    Meeting,
    Over,
    Pair,
    Pairing,
    Play,
    TournamentCourse,
    TournamentError,
    needs_more,
    next_step,
    pair_round,
)

log = logging.getLogger(__name__)

PAIRING_WAIT_S = 0.2
"""Most pairings take less. Others go on in their thread, while the store is free for others."""


class TournamentJobs:
    """Creates the jobs of one tournament. It decides by the store alone, so that it may end at any
    moment, and another goes on where it was.

    `wall`: the time of day, for a tournament that starts by itself.
    """

    def __init__(
        self, session: Session, tournament: Tournament, wall: Callable[[], datetime] = now
    ) -> None:
        self.name = tournament.name
        self._wall = wall
        self._known: Known = {}
        self._idle: object = None  # the fingerprint at which there was nothing to do
        self._pairing: tuple[TournamentCourse, Future[Pairing]] | None = None
        self._thread = ThreadPoolExecutor(1, f"pairs {tournament.name}")

    def make(self, session: Session, keep: int, room: Room = nobody_is_there) -> list[Job]:
        """Returns new jobs, whose rows it has added, until `keep` are queued or no more are due."""
        tournament = session.get_one(Tournament, self.name)
        start_when_due(session, tournament, self._wall())
        fingerprint = _fingerprint(session, self.name)
        if tournament.state is not CompetitionState.RUNNING or fingerprint == self._idle:
            return []
        if old := outdated(tournament):
            return _stopped(session, tournament, old)
        history = self._history(session)
        if _withdraw(session, tournament, history):
            history = self._history(session)
        course = history.course(terms_of(tournament))
        step = next_step(course)
        if not isinstance(step, Play) and _is_played(history):
            self._idle = fingerprint
            return []
        match step:
            case Over():
                end(session, tournament)
                log.info("the tournament %s is over", self.name)
                return []
            case Pair(number):
                if not self._paired(session, tournament, course, number):
                    return []
                return self.make(session, keep, room)
            case Play(due):
                if reason := _given_up(history, course):
                    return _stopped(session, tournament, reason)
                jobs, waits = self._jobs(session, tournament, history, due, keep, room)
                self._idle = None if jobs or waits else fingerprint
                return jobs

    def versions(self, session: Session) -> set[str]:
        """Returns the digests of the versions that are still in it."""
        staying = sa.select(TournamentEntrant.version).where(
            TournamentEntrant.tournament == self.name, TournamentEntrant.withdrawn_round.is_(None)
        )
        return set(session.scalars(staying))

    def over(self, session: Session) -> bool:
        """Returns whether it creates no more jobs unless its organiser resumes it."""
        return session.get_one(Tournament, self.name).state is not CompetitionState.RUNNING

    def _history(self, session: Session) -> History:
        return history_of(session, self.name, self._known)

    def _paired(
        self, session: Session, tournament: Tournament, course: TournamentCourse, number: int
    ) -> bool:
        """Adds the row of a round. Returns False if its pairing is not ready yet, or there is none,
        which stops the tournament. Should anything change meanwhile, it is paired again."""
        if self._pairing is None or self._pairing[0] != course:
            self._pairing = (course, self._thread.submit(pair_round, course, number))
        try:
            pairing = self._pairing[1].result(PAIRING_WAIT_S)
        except TimeoutError:
            return False
        except TournamentError as error:
            _stopped(session, tournament, str(error))
            return False
        session.add(_round_row(self.name, pairing))
        add_event(session, tournament, TournamentEventKind.PAIRED, round=number)
        return True

    def _jobs(
        self,
        session: Session,
        tournament: Tournament,
        history: History,
        due: Sequence[tuple[Meeting, int]],
        keep: int,
        room: Room,
    ) -> tuple[list[Job], bool]:
        """Returns jobs for groups that have none yet, and whether one waits for remote bots that
        have no room."""
        places = RemotePlaces(session, tournament.game, room)
        made: list[Job] = []
        waits = False
        free = keep - queued_jobs(session, self.name)
        drawn = drawn_from(session, tournament)
        for meeting, number in due:
            if len(made) >= free:
                break
            entrants = _seated(tournament, history, meeting, number, places)
            if number in {group.number for group in history.groups_at(meeting)}:
                continue
            if not all(places.has_place(entrant.bot) for entrant in entrants):
                waits = True
                continue
            job = new_job(tournament, entrants, _seed_text(tournament, drawn, meeting, number))
            places.count(job)
            made.append(job)
            session.add(row_of(job))
            session.flush()  # the group's row refers to it
            session.add(
                TournamentGroup(
                    tournament=self.name,
                    round=meeting.round,
                    table=meeting.table,
                    number=number,
                    job=job.job_id,
                )
            )
        return made, waits


def _fingerprint(session: Session, name: str) -> object:
    """Returns what changes with everything that a tournament's source decides by, apart from the
    room for remote bots: a fraction of the work of reading the history."""
    entrants = session.execute(
        sa.select(
            sa.func.count(),
            sa.func.sum(TournamentEntrant.withdrawn_round),
            sa.func.sum(sa.case((Version.state == VersionState.ACTIVE, 1), else_=0)),
        )
        .join(Version, Version.digest == TournamentEntrant.version)
        .where(TournamentEntrant.tournament == name)
    ).one()
    groups = sa.select(sa.func.count()).where(TournamentGroup.tournament == name)
    return tuple(entrants), session.scalar(groups), tuple(job_counts(session, name).values())


def _seated(
    tournament: Tournament, history: History, meeting: Meeting, number: int, places: RemotePlaces
) -> list[Entrant]:
    """Returns who sits where in a group's first match. Each group begins with another entrant, so
    that those who play one seating only share the seats."""
    turn = (number - 1) % len(meeting.entrants)
    order = [*meeting.entrants[turn:], *meeting.entrants[:turn]]
    versions = [history.versions[order[player]] for player in players_by_seat(tournament)]
    return [
        Entrant(bot=version.bot, version=version.digest, remote=places.is_remote(version.bot))
        for version in versions
    ]


def _seed_text(tournament: Tournament, drawn: str, meeting: Meeting, number: int) -> str:
    table = None if tournament.common_deals else meeting.table
    return round_seed_text(tournament.secret, drawn, meeting.round, number, table)


def _round_row(tournament: str, pairing: Pairing) -> TournamentRound:
    return TournamentRound(
        tournament=tournament, number=pairing.round, pairing=pairing_document(pairing)
    )


def _withdraw(session: Session, tournament: Tournament, history: History) -> bool:
    """Withdraws the versions that were retired and, when a round is over, those that were at fault
    in all its matches. Returns whether there were any."""
    gone = {
        number: "Its owner has retired this version."
        for number, version in history.versions.items()
        if version.state is not VersionState.ACTIVE
    }
    gone |= {
        number: f"It was at fault in every match of round {len(history.rounds)}."
        for number in _failed(history.course(terms_of(tournament)), history)
    }
    staying = {one.number for one in history.entrants if one.withdrawn_round is None}
    for number in sorted(staying & gone.keys()):
        version = history.versions[number]
        leave_tournament(session, tournament, version, gone[number])
        log.warning("%s leaves the tournament %s: %s", version.bot, tournament.name, gone[number])
    session.flush()
    return bool(staying & gone.keys())


def _failed(course: TournamentCourse, history: History) -> set[int]:
    """Returns those who were at fault in every match of the last round, once that is over."""
    if not history.rounds or isinstance(next_step(course), Play):
        return set()
    return {
        one
        for meeting in history.rounds[-1].meetings
        for one in meeting.entrants
        if (finished := history.finished_at(meeting))
        and all(one in result.failed for _, result in finished)
    }


def _is_played(history: History) -> bool:
    """Returns whether groups of the last round are still being played: at a table that an entrant
    has left. Their results count in later rounds, and do not change once those have begun."""
    return any(
        group.state is JobState.QUEUED
        for meeting in (history.rounds[-1].meetings if history.rounds else ())
        for group in history.groups_at(meeting)
    )


def _given_up(history: History, course: TournamentCourse) -> str:
    """Returns a sentence about a group of the current round whose job was given up; empty if there
    is none."""
    for meeting in history.rounds[-1].meetings:
        for group in history.groups_at(meeting):
            if group.state is JobState.PARKED and needs_more(course, meeting):
                return (
                    f"Round {meeting.round}, table {meeting.table}: the job {group.job} was given"
                    f" up ({group.reason}) Start the tournament again to play it once more."
                )
    return ""


def _stopped(session: Session, tournament: Tournament, problem: str) -> list[Job]:
    """Pauses the tournament, with the reason for everybody to read."""
    stop(session, tournament, problem)
    log.error("the tournament %s is paused: %s", tournament.name, problem)
    return []
