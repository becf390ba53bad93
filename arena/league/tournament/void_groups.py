"""Groups of a tournament that an organiser has declared void: their tables play them again."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league.tournament.events import add_event
from arena.league.tournament.tournaments import last_round
from arena.store.queries import ENDED
from arena.store.remote_bots import remote_names
from arena.store.schema import (
    Job,
    JobState,
    Match,
    MatchSeat,
    Tournament,
    TournamentEventKind,
    TournamentGroup,
)


def play_again(session: Session, tournament: Tournament, jobs: Collection[str], why: str) -> None:
    """Takes the groups that these jobs have played out of a tournament; their tables then play them
    again, with the same deals. `why`: a sentence for everybody, an event of the chain.

    Raises ArenaError where that would change what later pairings or places follow from, or where a
    remote bot has seen the deals.
    """
    if tournament.state in ENDED:
        raise ArenaError(
            Kind.NOT_NOW,
            f"The tournament {tournament.name} is {tournament.state}, so its matches stay as they"
            " are.",
        )
    current = last_round(session, tournament)
    groups = session.scalars(
        sa.select(TournamentGroup)
        .where(TournamentGroup.job.in_(jobs))
        .order_by(TournamentGroup.round, TournamentGroup.table, TournamentGroup.number)
    ).all()
    for group in groups:
        if group.round < current:
            raise ArenaError(
                Kind.NOT_NOW,
                f"Round {group.round + 1} of the tournament {tournament.name} has been paired by"
                f" the results of round {group.round}, so these stay. Withdraw a bot instead: arena"
                f" tournament leave {tournament.name}",
            )
    _check_nobody_saw(session, tournament, jobs)
    for group in groups:
        session.delete(group)
        session.flush()
        add_event(
            session,
            tournament,
            TournamentEventKind.VOIDED,
            round=group.round,
            sentence=f"Table {group.table} plays group {group.number} again: {why}",
        )


def played_jobs(session: Session, tournament: Tournament, table: int, group: int = 0) -> set[str]:
    """Returns the jobs that a table of the last round has played: that of a group, or all.
    Raises ArenaError if one has no result yet."""
    current = last_round(session, tournament)
    place = f"Table {table} of round {current}"
    query = (
        sa.select(TournamentGroup.number, Job.id, Job.state)
        .join(Job, Job.id == TournamentGroup.job)
        .where(
            TournamentGroup.tournament == tournament.name,
            TournamentGroup.round == current,
            TournamentGroup.table == table,
        )
    )
    found = session.execute(query.order_by(TournamentGroup.number)).all()
    wanted = [one for one in found if group in (0, one.number)]
    if not wanted:
        what = f"group {group}" if group else "group"
        raise ArenaError(
            Kind.NOT_FOUND,
            f"{place} of the tournament {tournament.name} has begun no {what}.",
            "group" if group and found else "table",
        )
    for number, _, state in wanted:
        if state is not JobState.RECORDED:
            raise ArenaError(
                Kind.NOT_NOW,
                f"{place} has no result of group {number} yet, which could be played again.",
                "group",
            )
    return {job for _, job, _ in wanted}


def _check_nobody_saw(session: Session, tournament: Tournament, jobs: Collection[str]) -> None:
    """Raises ArenaError if a remote bot played there: its owner can read the cards by now."""
    bots = (
        sa.select(MatchSeat.bot)
        .join(Match, Match.id == MatchSeat.match)
        .join(Job, Job.id == Match.job)
        .where(Job.id.in_(jobs))
    )
    seen = sorted({*session.scalars(bots)} & remote_names(session))
    if seen:
        raise ArenaError(
            Kind.NOT_NOW,
            f"{seen[0]} is a remote bot whose owner has seen the cards, so its tables in the"
            f" tournament {tournament.name} cannot play them again.",
        )
