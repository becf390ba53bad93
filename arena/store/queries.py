"""Readers' queries: competitions by name, their jobs, and which matches count.

An answer is complete in itself, and outlives its transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlalchemy.orm.util import AliasedClass

from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.store.schema import (
    FIELD,
    Bot,
    Comparison,
    Competition,
    CompetitionState,
    Entry,
    EntryState,
    Job,
    JobState,
    Ladder,
    Revision,
    Tournament,
    Version,
    VersionState,
    VoidMatch,
    table_of,
)

# A remote bot that would play if it were connected.
OFFLINE = "offline"
Named = TypeVar("Named", Ladder, Tournament, Comparison, Bot)
ENDED = (CompetitionState.OVER, CompetitionState.CANCELLED, CompetitionState.FAILED)

COMPETITIONS = table_of(Competition)

# The league asks for these again and again, so they are prepared once.
GOING_ON = sa.select(Competition).where(Competition.state.not_in(ENDED)).order_by(Competition.name)
FIELD_REVISION = sa.select(Revision.number).where(Revision.name == FIELD)
COUNT_QUEUED = sa.select(sa.func.count()).where(
    Job.competition == sa.bindparam("competition"), Job.state == JobState.QUEUED
)


def competitions(session: Session) -> Sequence[Competition]:
    """Returns all competitions that have not ended, of every kind, by name."""
    return session.scalars(GOING_ON).all()


def field_revision(session: Session) -> int:
    """Returns a number that grows with every change of who may be paired on a ladder, and with
    every fit of ratings."""
    return session.connection().scalars(FIELD_REVISION).one()


def revise_field(session: Session) -> None:
    """Raises the number that `field_revision` returns. The database does so by itself for changes
    of who may be paired."""
    session.execute(
        sa.update(Revision).where(Revision.name == FIELD).values(number=Revision.number + 1)
    )


def ladders(session: Session) -> Sequence[Ladder]:
    """Returns all ladders, by name."""
    return session.scalars(sa.select(Ladder).order_by(Ladder.name)).all()


def ladder_named(session: Session, name: str) -> Ladder:
    """Returns the ladder of that name. Raises ArenaError."""
    return _named(session, Ladder, name)


def tournaments(session: Session) -> Sequence[Tournament]:
    """Returns all tournaments, by name."""
    return session.scalars(sa.select(Tournament).order_by(Tournament.name)).all()


def tournament_named(session: Session, name: str) -> Tournament:
    """Returns the tournament of that name. Raises ArenaError."""
    return _named(session, Tournament, name)


def comparisons(session: Session) -> Sequence[Comparison]:
    """Returns all comparisons, by name."""
    return session.scalars(sa.select(Comparison).order_by(Comparison.name)).all()


def comparison_named(session: Session, name: str) -> Comparison:
    """Returns the comparison of that name. Raises ArenaError."""
    return _named(session, Comparison, name)


def bot_named(session: Session, name: str) -> Bot:
    """Returns the bot of that name. Raises ArenaError."""
    return _named(session, Bot, name)


def _named(session: Session, row: type[Named], name: str) -> Named:
    """Returns the row of that name. Raises ArenaError, naming similar ones."""
    found = session.get(row, name)
    if found is None:
        what = row.__name__.lower()
        known = session.scalars(sa.select(row.name).order_by(row.name)).all()
        raise ArenaError(Kind.NOT_FOUND, no_such(what, name, known), what)
    return found


def job_counts(session: Session, competition: str) -> dict[JobState, int]:
    """Returns the number of the competition's jobs in each state."""
    counted = session.execute(
        sa.select(Job.state, sa.func.count())
        .where(Job.competition == competition)
        .group_by(Job.state)
    )
    return dict.fromkeys(JobState, 0) | dict(counted.all())


def rated_jobs(session: Session, ladder: str) -> int:
    """Returns the number of the ladder's last rated job; 0 if there is none."""
    last = sa.select(sa.func.max(Job.sequence)).where(Job.competition == ladder)
    return session.scalar(last) or 0


def queued_jobs(session: Session, competition: str) -> int:
    """Returns the number of the competition's jobs that are still to be settled."""
    return session.scalars(COUNT_QUEUED, {"competition": competition}).one()


def all_queued_jobs(session: Session) -> Sequence[Job]:
    """Returns the jobs of all competitions that are still to be settled, oldest first."""
    # Written out, since the index of these jobs serves no placeholder.
    queued = sa.select(Job).where(Job.state == sa.literal_column("'queued'"))
    return session.scalars(queued.order_by(Job.created_at)).all()


def stays_on_ladder(
    entry: type[Entry] | AliasedClass[Entry], version: type[Version] | AliasedClass[Version]
) -> sa.ColumnElement[bool]:
    """Returns the condition that a version still takes part on a ladder: only then it has a place
    there. A ladder that is over keeps those that took part at its end."""
    is_final = entry.ladder.in_(
        sa.select(COMPETITIONS.c.name).where(COMPETITIONS.c.state.in_(ENDED))
    )
    plays = (version.state == VersionState.ACTIVE) | is_final
    return (entry.state != EntryState.WITHDRAWN) & plays


def entry_state(entry: EntryState, version: VersionState, *, connected: bool | None) -> str:
    """Returns the state of a version on a ladder in a word. `connected`: None unless its bot is
    remote."""
    if entry is not EntryState.ACTIVE:
        return entry
    if version is VersionState.ACTIVE and connected is False:
        return OFFLINE
    return version


def counts(match: Any) -> sa.ColumnElement[bool]:
    """Returns the condition that the match whose id is in this column is not void."""
    return ~is_void(match)


def is_void(match: Any) -> sa.ColumnElement[bool]:
    """Returns the condition that it is void."""
    return sa.exists().where(VoidMatch.match == match)


def void_reasons(session: Session, matches: Collection[str]) -> dict[str, str]:
    """Returns the reasons of those of the matches, given by their ids, that are void."""
    found = sa.select(VoidMatch.match, VoidMatch.reason).where(VoidMatch.match.in_(matches))
    return dict(session.execute(found).all())
