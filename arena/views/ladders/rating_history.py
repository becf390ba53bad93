"""The history of a bot's ratings, job by job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from pydantic import computed_field
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.ratings import Skill
from arena.store.queries import bot_named, ladder_named
from arena.store.schema import Entry, Job, Version
from arena.store.schema import RatingChange as Change
from arena.views.ladders.standing import SIGMAS, Estimate
from arena.views.matches.match import Match, matches_of_jobs
from arena.views.view import View


class SkillChange(View):
    """The change of a version's skill by a job.

    `sequence`: the job's place among the rated ones of the ladder, from 1.
    """

    sequence: int
    before: Estimate
    after: Estimate

    @computed_field  # type: ignore[prop-decorator]
    @property
    def rating(self) -> float:
        """The rating after the job."""
        return self.after.mu - SIGMAS * self.after.sigma

    @property
    def rating_before(self) -> float:
        """The rating before the job."""
        return self.before.mu - SIGMAS * self.before.sigma


class RatingChange(SkillChange):
    """The same with the version, by number and by digest, and the job's matches in order."""

    number: int
    version: str
    matches: tuple[Match, ...]


class LadderHistory(View):
    """Some changes of a bot's ratings on a ladder.

    `changes`: the latest job first; of a job that two of its versions played, a change of each.
    `next`: the value of `after` for the next page; None at the end.
    """

    ladder: str
    changes: tuple[RatingChange, ...]
    next: int | None


class BotHistory(View):
    """The history of a bot's ratings on ladders, by their names."""

    bot: str
    ladders: tuple[LadderHistory, ...]


def rating_history(
    session: Session, ladder: str, bot: str, *, after: int | None = None, limit: int = 50
) -> LadderHistory:
    """Returns the changes of the ratings of a bot's versions on a ladder, the latest first.

    `after`: the `next` of the previous page. `limit`: how many jobs. Raises ArenaError.
    """
    ladder_named(session, ladder)
    bot_named(session, bot)
    versions = _versions_on(session, ladder, bot)
    changed = sa.select(Change.sequence).distinct().limit(limit + 1)
    changed = changed.where(Change.ladder == ladder, Change.version.in_(versions))
    if after is not None:
        changed = changed.where(Change.sequence < after)
    found = session.scalars(changed.order_by(Change.sequence.desc())).all()
    page = found[:limit]
    return LadderHistory(
        ladder=ladder,
        changes=_changes(session, ladder, versions, page),
        next=page[-1] if len(found) > limit else None,
    )


def ladders_of(session: Session, bot: str) -> Sequence[str]:
    """Returns the names of the ladders on which a bot has versions. Raises ArenaError."""
    bot_named(session, bot)
    entered = sa.select(Entry.ladder).join(Version, Version.digest == Entry.version)
    return session.scalars(
        entered.where(Version.bot == bot).distinct().order_by(Entry.ladder)
    ).all()


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


def _changes(
    session: Session, ladder: str, versions: Mapping[str, int], sequences: Sequence[int]
) -> tuple[RatingChange, ...]:
    """Returns the changes by the jobs of these numbers, which are sorted, the latest first."""
    if not sequences:
        return ()
    rows = session.execute(
        sa.select(Change, Job.id)
        .join(Job, (Job.competition == ladder) & (Job.sequence == Change.sequence))
        .where(Change.ladder == ladder, Change.version.in_(versions))
        .where(Change.sequence.between(sequences[-1], sequences[0]))
        .order_by(Change.sequence, Change.version)
    ).all()
    matches = matches_of_jobs(session, {job for _, job in rows})
    skills = {
        version: _skill_before(session, ladder, version, sequences[-1]) for version in versions
    }
    changes = []
    for change, job in rows:
        before, after = skills[change.version], Estimate.model_validate(change)
        skills[change.version] = after
        changes.append(
            RatingChange(
                sequence=change.sequence,
                number=versions[change.version],
                version=change.version,
                before=before,
                after=after,
                matches=tuple(matches[job]),
            )
        )
    return tuple(reversed(changes))


def _skill_before(session: Session, ladder: str, version: str, sequence: int) -> Estimate:
    """Returns the skill of a version before the job of that number."""
    earlier = sa.select(Change.mu, Change.sigma).where(
        Change.ladder == ladder, Change.version == version, Change.sequence < sequence
    )
    row = session.execute(earlier.order_by(Change.sequence.desc()).limit(1)).one_or_none()
    return Estimate.model_validate(row or Skill())
