"""Readers' queries: ladders, ratings, jobs. (Matches: `arena.store.matches`.)

An answer is complete in itself, and outlives its transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.tables import (
    Bot,
    Entry,
    EntryState,
    Job,
    JobState,
    Ladder,
    Rating,
    RatingChange,
    Remote,
    Version,
    VersionState,
)

NAMED = 10  # of many, when none resembles the wanted name
# A remote bot that would play if it were connected.
OFFLINE = "offline"


class NotFound(LookupError):
    """The store has no such thing. Its text lists what exists, or says how to find out."""


@dataclass(frozen=True)
class RatedEntry:
    """A version on a ladder, with its rating there."""

    bot: str
    number: int
    version: str
    owner: str
    mu: float
    sigma: float
    matches: int
    faults: int
    state: str


@dataclass(frozen=True)
class Placing:
    """A version's place on a ladder. Equal ratings share a place."""

    place: int
    rating: float
    entry: RatedEntry


@dataclass(frozen=True)
class CurvePoint:
    """A version's rating after the ladder's rated job of that number."""

    sequence: int
    mu: float
    sigma: float


def ladders(session: Session) -> Sequence[Ladder]:
    """Returns all ladders, by name."""
    return session.scalars(sa.select(Ladder).order_by(Ladder.name)).all()


def ladder_named(session: Session, name: str) -> Ladder:
    """Returns the ladder of that name. Raises NotFound."""
    ladder = session.get(Ladder, name)
    if ladder is None:
        existing = ", ".join(ladder.name for ladder in ladders(session)) or "none yet"
        raise NotFound(f"There is no ladder {name!r}; there are: {existing}.")
    return ladder


def bot_named(session: Session, name: str) -> Bot:
    """Returns the bot of that name. Raises NotFound, naming similar ones."""
    bot = session.get(Bot, name)
    if bot is None:
        known = session.scalars(sa.select(Bot.name).order_by(Bot.name)).all()
        near = get_close_matches(name, known, cutoff=0.5) or known[:NAMED]
        existing = ", ".join(near) + (", and others" if len(near) < len(known) else "")
        raise NotFound(f"There is no bot {name!r}; there are: {existing or 'none yet'}.")
    return bot


def rated_entries(session: Session, ladder: str) -> list[RatedEntry]:
    """Returns the versions on a ladder with their ratings, in no particular order."""
    rows = session.execute(
        sa.select(Entry, Version, Bot, Rating, Remote)
        .join(Version, Version.digest == Entry.version)
        .join(Bot, Bot.name == Version.bot)
        .outerjoin(Remote, Remote.bot == Bot.name)
        .join(Rating, (Rating.ladder == Entry.ladder) & (Rating.version == Entry.version))
        .where(Entry.ladder == ladder)
        .order_by(Bot.name, Version.number)
    )
    return [_rated_entry(*row) for row in rows]


def job_counts(session: Session, ladder: str) -> dict[JobState, int]:
    """Returns the number of the ladder's jobs in each state."""
    counted = session.execute(
        sa.select(Job.state, sa.func.count()).where(Job.ladder == ladder).group_by(Job.state)
    )
    return dict.fromkeys(JobState, 0) | dict(counted.all())


def queued_jobs(session: Session, ladder: str) -> int:
    """Returns the number of the ladder's jobs that are still to be settled."""
    queued = (Job.ladder == ladder) & (Job.state == JobState.QUEUED)
    return session.scalar(sa.select(sa.func.count()).where(queued)) or 0


def parked_jobs(session: Session, ladder: str | None = None) -> Sequence[Job]:
    """Returns the jobs that were given up, latest first, with the reasons."""
    parked = sa.select(Job).where(Job.state == JobState.PARKED).order_by(Job.created_at.desc())
    return session.scalars(parked if ladder is None else parked.where(Job.ladder == ladder)).all()


def curve(session: Session, ladder: str, version: str) -> list[CurvePoint]:
    """Returns the history of a version's rating on a ladder."""
    changes = session.scalars(
        sa.select(RatingChange)
        .where(RatingChange.ladder == ladder, RatingChange.version == version)
        .order_by(RatingChange.sequence)
    )
    return [CurvePoint(change.sequence, change.mu, change.sigma) for change in changes]


def _rated_entry(
    entry: Entry, version: Version, bot: Bot, rating: Rating, remote: Remote | None
) -> RatedEntry:
    return RatedEntry(
        bot=bot.name,
        number=version.number,
        version=version.digest,
        owner=bot.owner,
        mu=rating.mu,
        sigma=rating.sigma,
        matches=rating.matches,
        faults=rating.faults,
        state=_state(entry, version, remote),
    )


def _state(entry: Entry, version: Version, remote: Remote | None) -> str:
    if entry.state != EntryState.ACTIVE:
        return entry.state
    if version.state == VersionState.ACTIVE and remote is not None and not remote.connected:
        return OFFLINE
    return version.state
