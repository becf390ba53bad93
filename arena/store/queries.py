"""Readers' queries: competitions, ratings, jobs. (Matches: `arena.store.matches`.)

An answer is complete in itself, and outlives its transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.store.schema import (
    FIELD,
    NOBODY,
    Bot,
    Comparison,
    Competition,
    CompetitionState,
    Entry,
    EntryState,
    Job,
    JobState,
    Ladder,
    Rating,
    RatingChange,
    Remote,
    Revision,
    Token,
    Tournament,
    Version,
    VersionState,
)

# A remote bot that would play if it were connected.
OFFLINE = "offline"


@dataclass(frozen=True)
class RatedEntry:
    """A version on a ladder, with its rating there.

    `fit`: mu and sigma by all jobs at once; None if it had no rated job at the last fit.
    """

    bot: str
    number: int
    version: str
    owner: str
    mu: float
    sigma: float
    matches: int
    faults: int
    state: str
    fit: tuple[float, float] | None = None


@dataclass(frozen=True)
class Placing:
    """A version's place on a ladder. Equal ratings share a place."""

    place: int
    rating: float
    entry: RatedEntry


@dataclass(frozen=True)
class SkillChange:
    """The change of a version's rating by a job.

    `sequence`: the job's place among the rated ones of the ladder, from 1.
    `before`: mu and sigma before it; None if it was the version's first.
    """

    sequence: int
    job: str
    version: str
    number: int
    before: tuple[float, float] | None
    mu: float
    sigma: float


@dataclass(frozen=True)
class HistoryPage:
    """Some changes, the latest first. `next`: the value of `after` for the next page; None at the
    end."""

    changes: tuple[SkillChange, ...]
    next: int | None


FIGURES = ("mu", "sigma", "matches", "faults", "fit_mu", "fit_sigma")
ENDED = (CompetitionState.OVER, CompetitionState.CANCELLED)

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
    ladder = session.get(Ladder, name)
    if ladder is None:
        raise ArenaError(
            Kind.NOT_FOUND,
            no_such("ladder", name, [ladder.name for ladder in ladders(session)]),
            "ladder",
        )
    return ladder


def tournaments(session: Session) -> Sequence[Tournament]:
    """Returns all tournaments, by name."""
    return session.scalars(sa.select(Tournament).order_by(Tournament.name)).all()


def tournament_named(session: Session, name: str) -> Tournament:
    """Returns the tournament of that name. Raises ArenaError."""
    tournament = session.get(Tournament, name)
    if tournament is None:
        known = [tournament.name for tournament in tournaments(session)]
        raise ArenaError(Kind.NOT_FOUND, no_such("tournament", name, known), "tournament")
    return tournament


def comparisons(session: Session) -> Sequence[Comparison]:
    """Returns all comparisons, by name."""
    return session.scalars(sa.select(Comparison).order_by(Comparison.name)).all()


def comparison_named(session: Session, name: str) -> Comparison:
    """Returns the comparison of that name. Raises ArenaError."""
    comparison = session.get(Comparison, name)
    if comparison is None:
        known = [comparison.name for comparison in comparisons(session)]
        raise ArenaError(Kind.NOT_FOUND, no_such("comparison", name, known), "comparison")
    return comparison


def bot_named(session: Session, name: str) -> Bot:
    """Returns the bot of that name. Raises ArenaError, naming similar ones."""
    bot = session.get(Bot, name)
    if bot is None:
        known = session.scalars(sa.select(Bot.name).order_by(Bot.name)).all()
        raise ArenaError(Kind.NOT_FOUND, no_such("bot", name, known), "bot")
    return bot


def check_owner(session: Session, name: str) -> None:
    """Raises ArenaError, naming similar ones, if nobody of that name has a bot or a token."""
    known = (
        sa.select(Bot.name).where(Bot.owner == name),
        sa.select(Token.id).where(Token.owner == name),
    )
    if any(session.scalars(query.limit(1)).first() is not None for query in known):
        return
    with_bots = sa.select(Bot.owner).where(Bot.owner != NOBODY).distinct().order_by(Bot.owner)
    raise ArenaError(
        Kind.NOT_FOUND, no_such("owner", name, session.scalars(with_bots).all()), "owner"
    )


def rated_entries(session: Session, ladder: str) -> list[RatedEntry]:
    """Returns the versions on a ladder with their ratings, in no particular order."""
    rows = session.execute(
        sa.select(
            Bot.name.label("bot"),
            Version.number,
            Version.digest,
            Version.state.label("version_state"),
            Bot.owner,
            *(getattr(Rating, name) for name in FIGURES),
            Entry.state,
            Remote.connected,
        )
        .select_from(Entry)
        .join(Version, Version.digest == Entry.version)
        .join(Bot, Bot.name == Version.bot)
        .outerjoin(Remote, Remote.bot == Bot.name)
        .join(Rating, (Rating.ladder == Entry.ladder) & (Rating.version == Entry.version))
        .where(Entry.ladder == ladder)
        .order_by(Bot.name, Version.number)
    )
    return [_rated_entry(row) for row in rows]


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


def rating_history(
    session: Session, ladder: str, bot: str, *, after: int | None = None, limit: int = 50
) -> HistoryPage:
    """Returns the changes of the ratings of a bot's versions on a ladder, the latest first.

    `after`: the `next` of the previous page. `limit`: how many jobs. Raises ArenaError.
    """
    ladder_named(session, ladder)
    bot_named(session, bot)
    versions = _versions_on(session, ladder, bot)
    changed = sa.select(RatingChange.sequence).distinct().limit(limit + 1)
    changed = changed.where(RatingChange.ladder == ladder, RatingChange.version.in_(versions))
    if after is not None:
        changed = changed.where(RatingChange.sequence < after)
    found = session.scalars(changed.order_by(RatingChange.sequence.desc())).all()
    page = found[:limit]
    changes = _skill_changes(session, ladder, versions, page)
    return HistoryPage(changes, page[-1] if len(found) > limit else None)


def version_on(session: Session, ladder: str, bot: str, number: int = 0) -> tuple[str, int]:
    """Returns the digest and the number of a bot's version on a ladder; the latest if the number is
    0. Raises ArenaError."""
    bot_named(session, bot)
    numbers = {found: digest for digest, found in _versions_on(session, ladder, bot).items()}
    wanted = number or max(numbers)
    if wanted not in numbers:
        known = ", ".join(map(str, sorted(numbers)))
        raise ArenaError(
            Kind.NOT_FOUND,
            f"The bot {bot} has no version {number} on the ladder {ladder}, but {known}.",
            "bot",
        )
    return numbers[wanted], wanted


def _versions_on(session: Session, ladder: str, bot: str) -> dict[str, int]:
    """Returns the numbers of a bot's versions on a ladder, by digest. Raises ArenaError."""
    entered = sa.select(Version.digest, Version.number).join(Entry, Entry.version == Version.digest)
    entered = entered.where(Entry.ladder == ladder, Version.bot == bot)
    rows = session.execute(entered).all()
    if not rows:
        raise ArenaError(
            Kind.NOT_FOUND, f"The bot {bot} has never been on the ladder {ladder}.", "bot"
        )
    return dict(rows)


def _skill_changes(
    session: Session, ladder: str, versions: Mapping[str, int], sequences: Sequence[int]
) -> tuple[SkillChange, ...]:
    """Returns the changes by the jobs of these numbers, which are sorted, the latest first."""
    if not sequences:
        return ()
    rows = session.execute(
        sa.select(RatingChange, Job.id)
        .join(Job, (Job.competition == ladder) & (Job.sequence == RatingChange.sequence))
        .where(RatingChange.ladder == ladder, RatingChange.version.in_(versions))
        .where(RatingChange.sequence.between(sequences[-1], sequences[0]))
        .order_by(RatingChange.sequence, RatingChange.version)
    ).all()
    skills = {
        version: _skill_before(session, ladder, version, sequences[-1]) for version in versions
    }
    changes = []
    for change, job in rows:
        version, before = change.version, skills[change.version]
        skills[version] = (change.mu, change.sigma)
        changes.append(
            SkillChange(
                change.sequence, job, version, versions[version], before, change.mu, change.sigma
            )
        )
    return tuple(reversed(changes))


def _skill_before(
    session: Session, ladder: str, version: str, sequence: int
) -> tuple[float, float] | None:
    """Returns mu and sigma of a version before the job of that number; None if it had no rating."""
    earlier = sa.select(RatingChange.mu, RatingChange.sigma).where(
        RatingChange.ladder == ladder,
        RatingChange.version == version,
        RatingChange.sequence < sequence,
    )
    row = session.execute(earlier.order_by(RatingChange.sequence.desc()).limit(1)).one_or_none()
    return None if row is None else (row.mu, row.sigma)


def _rated_entry(row: Any) -> RatedEntry:
    return RatedEntry(
        bot=row.bot,
        number=row.number,
        version=row.digest,
        owner=row.owner,
        mu=row.mu,
        sigma=row.sigma,
        matches=row.matches,
        faults=row.faults,
        state=entry_state(row.state, row.version_state, connected=row.connected),
        fit=None if row.fit_mu is None or row.fit_sigma is None else (row.fit_mu, row.fit_sigma),
    )


def entry_state(entry: EntryState, version: VersionState, *, connected: bool | None) -> str:
    """Returns the state of a version on a ladder in a word. `connected`: None unless its bot is
    remote."""
    if entry is not EntryState.ACTIVE:
        return entry
    if version is VersionState.ACTIVE and connected is False:
        return OFFLINE
    return version
