"""The season of a ladder: when it starts, takes submissions, and is over."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.moment import minute
from arena.store.notices.news import add_news
from arena.store.queries import ENDED
from arena.store.schema import (
    CompetitionState,
    Entry,
    EntryState,
    Job,
    JobState,
    Ladder,
    NewsKind,
    Version,
    VersionState,
    now,
)


def off_season(ladder: Ladder) -> str | None:
    """Returns a sentence saying why the ladder plays nothing at this time, or None."""
    if is_over(ladder):
        return f"The ladder {ladder.name} is over, and its standings are final."
    if ladder.starts_at is not None and now() < ladder.starts_at:
        return f"The ladder {ladder.name} starts at {minute(ladder.starts_at)}."
    return None


def check_takes_submissions(ladder: Ladder) -> None:
    """Raises ArenaError if it is too late to submit."""
    if is_over(ladder):
        raise ArenaError(
            Kind.NOT_NOW,
            f"The ladder {ladder.name} is over: `arena ladder list` lists those that go on.",
            "ladder",
        )
    if not takes_submissions(ladder):
        assert ladder.submit_until is not None
        raise ArenaError(
            Kind.NOT_NOW,
            f"The ladder {ladder.name} took submissions until {minute(ladder.submit_until)}.",
            "ladder",
        )


def takes_submissions(ladder: Ladder) -> bool:
    """Returns whether it is not too late to submit."""
    is_late = ladder.submit_until is not None and now() >= ladder.submit_until
    return not is_late and not is_over(ladder)


def is_over(ladder: Ladder) -> bool:
    """Returns whether the ladder is over, also if no arena has noticed yet that its end has
    come."""
    has_ended = ladder.ends_at is not None and now() >= ladder.ends_at
    return ladder.state in ENDED or has_ended


def close_ladder(session: Session, ladder: Ladder) -> None:
    """Ends a ladder for good. Matches that are not over yet are given up, and versions that are
    retired by now have no place, so that its standings stay as they are."""
    if ladder.state in ENDED:
        return
    retired = sa.select(Version.digest).where(Version.state == VersionState.RETIRED)
    session.execute(
        sa.update(Entry)
        .where(Entry.ladder == ladder.name, Entry.version.in_(retired))
        .values(state=EntryState.WITHDRAWN)
    )
    queued = (Job.competition == ladder.name) & (Job.state == JobState.QUEUED)
    session.execute(
        sa.update(Job).where(queued).values(state=JobState.PARKED, reason="The ladder is over.")
    )
    ladder.state = CompetitionState.OVER
    add_news(
        session,
        NewsKind.SEASON_OVER,
        f"The ladder {ladder.name} is over, and its standings are final.",
        competition=ladder.name,
    )


def check_schedule(
    starts_at: datetime | None, submit_until: datetime | None, ends_at: datetime | None
) -> None:
    """Raises ArenaError unless the moments are in order."""
    if ends_at is None:
        return
    if starts_at is not None and starts_at >= ends_at:
        raise ArenaError(Kind.WRONG_INPUT, "ends_at must be later than starts_at.", "ends_at")
    if submit_until is not None and submit_until > ends_at:
        raise ArenaError(
            Kind.WRONG_INPUT, "submit_until must not be later than ends_at.", "submit_until"
        )
