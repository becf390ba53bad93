"""Rating curves: how the ratings of versions changed, in few enough points to be drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.schema import Job, Rating, RatingChange
from arena.views.ladders.standing import Estimate
from arena.views.view import Moment, View

POINTS = 300


class CurvePoint(Estimate):
    """A version's skill after a rated job of its ladder.

    `sequence`: the job's place among the rated ones, from 1. `at`: when it was recorded.
    """

    sequence: int
    at: Moment | None


class Curve(View):
    """The changes of a version's rating. `number`: the version's; `version`: its digest."""

    bot: str
    number: int
    version: str
    points: tuple[CurvePoint, ...]


class Curves(View):
    """The rating curves of versions, the best first."""

    curves: tuple[Curve, ...]


def rating_curves(
    session: Session, ladder: str, versions: Collection[str], points: int = POINTS
) -> dict[str, tuple[CurvePoint, ...]]:
    """Returns the curves of versions on a ladder, each from its first rated job to its last.

    A curve has at most so many points. Those of a longer history are evenly spaced by the ladder's
    jobs, and each is the rating that the version had then.
    """
    ends = {row.version: row for row in session.execute(_ends(ladder, versions, points))}
    short = [one for one, end in ends.items() if end.first is not None and end.beyond is None]
    long = [one for one, end in ends.items() if end.beyond is not None]
    curves: defaultdict[str, list[CurvePoint]] = defaultdict(list)
    for few, picked in ((short, None), (long, _picked(ladder, long, points))):
        if few:
            for row in session.execute(_changes(ladder, few, picked)):
                curves[row.version].append(CurvePoint.model_validate(row))
    return {version: tuple(curves[version]) for version in ends}


def _ends(ladder: str, versions: Collection[str], points: int) -> sa.Select[Any]:
    """Selects by version the numbers of the first and the last job, and of one that few have."""
    own = (
        sa.select(RatingChange.sequence)
        .where(RatingChange.ladder == ladder, RatingChange.version == Rating.version)
        .order_by(RatingChange.sequence)
    )
    return sa.select(
        Rating.version,
        own.limit(1).scalar_subquery().label("first"),
        own.order_by(None)
        .order_by(RatingChange.sequence.desc())
        .limit(1)
        .scalar_subquery()
        .label("last"),
        own.limit(1).offset(points).scalar_subquery().label("beyond"),
    ).where(Rating.ladder == ladder, Rating.version.in_(versions))


def _picked(ladder: str, versions: Collection[str], points: int) -> sa.Subquery:
    """Selects evenly spaced changes of each version, by a look into the index for each point."""
    ends = _ends(ladder, versions, points).cte("ends").prefix_with("MATERIALIZED")
    steps = sa.select(sa.literal(0).label("step")).cte("steps", recursive=True)
    steps = steps.union_all(sa.select(steps.c.step + 1).where(steps.c.step < points - 1))
    until = ends.c.first + (ends.c.last - ends.c.first) * steps.c.step / (points - 1)
    change = RatingChange.__table__.alias()
    latest = (
        sa.select(change.c.sequence)
        .where(
            change.c.ladder == ladder,
            change.c.version == ends.c.version,
            change.c.sequence <= sa.cast(until, sa.Integer),
        )
        .order_by(change.c.sequence.desc())
        .limit(1)
        .scalar_subquery()
    )
    return (
        sa.select(ends.c.version, latest.label("sequence"))
        .select_from(ends.join(steps, sa.true()))
        .distinct()
        .subquery()
    )


def _changes(ladder: str, versions: Collection[str], picked: sa.Subquery | None) -> Any:
    """Selects the changes of versions, all of them or only those picked."""
    change = RatingChange
    changes = (
        sa.select(
            change.version,
            change.sequence,
            Job.recorded_at.label("at"),
            change.mu,
            change.sigma,
        )
        .where(change.ladder == ladder, change.version.in_(versions))
        .order_by(change.version, change.sequence)
    )
    if picked is None:
        changes = changes.select_from(change)
    else:
        is_picked = (change.version == picked.c.version) & (change.sequence == picked.c.sequence)
        changes = changes.select_from(picked).outerjoin(
            change, is_picked & (change.ladder == ladder)
        )
    # Outer joins, since SQLite begins them with what is on the left.
    return changes.outerjoin(Job, (Job.competition == ladder) & (Job.sequence == change.sequence))
