"""Tournaments that start by themselves, and the check-in before that."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league.tournament.events import named
from arena.league.tournament.rows import history_of
from arena.league.tournament.tournaments import (
    begin,
    check_open,
    entrant_of,
    obstacle_to_play,
    renumber,
)
from arena.moment import minute
from arena.store.schema import CompetitionState, Tournament, TournamentEntrant, Version

log = logging.getLogger(__name__)

LONGEST_CHECK_IN = 7 * 24 * 60  # in minutes


def schedule(
    tournament: Tournament, starts_at: datetime | None, check_in_minutes: int, now: datetime
) -> None:
    """Lets a new tournament start by itself; None: its organiser starts it.

    `check_in_minutes`: owners check in so long before; 0: they need not. Raises ArenaError.
    """
    if starts_at is None:
        if check_in_minutes:
            raise ArenaError(
                Kind.WRONG_INPUT,
                "`check_in_minutes` is for a tournament that starts by itself; give `starts_at` as"
                " well.",
                "check_in_minutes",
            )
        return
    if starts_at <= now:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`starts_at` is {minute(starts_at)}, which is past; it is {minute(now)}.",
            "starts_at",
        )
    if check_in_minutes > LONGEST_CHECK_IN:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`check_in_minutes` is {check_in_minutes}; it must be at most {LONGEST_CHECK_IN:,}, a"
            " week.",
            "check_in_minutes",
        )
    tournament.starts_at, tournament.check_in_minutes = starts_at, check_in_minutes


def has_check_in(tournament: Tournament, now: datetime) -> bool:
    """Returns whether owners can check in at this time."""
    if tournament.state is not CompetitionState.OPEN or tournament.starts_at is None:
        return False
    opens_at = tournament.starts_at - timedelta(minutes=tournament.check_in_minutes)
    return opens_at <= now < tournament.starts_at


def check_in(
    session: Session, tournament: Tournament, version: Version, now: datetime
) -> TournamentEntrant:
    """Confirms that an entrant plays. Checking it in again changes nothing. Raises ArenaError."""
    entrant, name = entrant_of(session, tournament, version), f"the tournament {tournament.name}"
    if tournament.starts_at is None or not tournament.check_in_minutes:
        raise ArenaError(Kind.NOT_NOW, f"There is no check-in for {name}.")
    check_open(tournament)
    if entrant.withdrawn_round is not None:
        raise ArenaError(Kind.NOT_NOW, f"{version.bot} has left {name}.")
    if not has_check_in(tournament, now):
        opens_at = tournament.starts_at - timedelta(minutes=tournament.check_in_minutes)
        raise ArenaError(
            Kind.NOT_NOW,
            f"The check-in for {name} is from {minute(opens_at)} to"
            f" {minute(tournament.starts_at)}.",
        )
    entrant.checked_in = True
    return entrant


def start_when_due(session: Session, tournament: Tournament, now: datetime) -> None:
    """Starts a tournament whose time has come, without the entrants whose owners have not checked
    in. One that cannot be played is called off."""
    if tournament.state is not CompetitionState.OPEN or tournament.starts_at is None:
        return
    if now < tournament.starts_at:
        return
    left_out = _leave_out(session, tournament)
    if why_not := obstacle_to_play(session, tournament):
        tournament.state = CompetitionState.CANCELLED
        tournament.problem = " ".join(filter(None, ("Called off.", why_not, left_out)))
        log.warning("the tournament %s is called off: %s", tournament.name, why_not)
        return
    begin(session, tournament, left_out)
    log.info("the tournament %s has started", tournament.name)


def _leave_out(session: Session, tournament: Tournament) -> str:
    """Removes the entrants that have not checked in; returns a sentence about them, empty if there
    are none. The organiser's own need no check-in."""
    if not tournament.check_in_minutes:
        return ""
    absent = [one for one in history_of(session, tournament.name).entered if one.is_absent]
    if not absent:
        return ""
    session.execute(
        sa.delete(TournamentEntrant).where(
            TournamentEntrant.tournament == tournament.name,
            TournamentEntrant.version.in_([one.version for one in absent]),
        )
    )
    renumber(session, tournament, lambda one: (one.number,))
    return f"Left out without a check-in: {named([one.bot for one in absent])}."
