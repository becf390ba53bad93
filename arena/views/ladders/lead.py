"""The best version of a ladder, and how sure it is that it is the best."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.ratings import Skill
from arena.store.queries import stays_on_ladder
from arena.store.schema import Entry, Rating, Version
from arena.views.ladders.standing import SIGMAS
from arena.views.view import View


class Lead(View):
    """The first of a ladder.

    `rival`: the second; empty if no other has played there.
    `sureness`: the probability that the first is really the better one, by both estimates; None
      without a rival.
    """

    ladder: str
    bot: str
    rating: float
    matches: int
    rival: str
    sureness: float | None


def lead_of(session: Session, ladder: str) -> Lead | None:
    """Returns the first of a ladder; None if none that takes part has played."""
    played = best_of(session, [ladder], 2)
    if not played:
        return None
    first, *others = played
    return Lead(
        ladder=ladder,
        bot=first.bot,
        rating=first.rating,
        matches=first.matches,
        rival=others[0].bot if others else "",
        sureness=_sureness(*(Skill(one.mu, one.sigma) for one in played)) if others else None,
    )


def best_of(
    session: Session, ladders: Sequence[str], most: int
) -> Sequence[sa.Row[*tuple[Any, ...]]]:
    """Returns the best of each ladder, at most so many, of those that have played there and take
    part: ladder, bot, number, mu, sigma, matches, rating and place."""
    rating = Rating.mu - SIGMAS * Rating.sigma
    order = (rating.desc(), Version.bot, Version.number)
    place = sa.func.row_number().over(partition_by=Rating.ladder, order_by=order)
    ranked = (
        sa.select(
            *(Rating.ladder, Version.bot, Version.number, Rating.mu, Rating.sigma, Rating.matches),
            *(rating.label("rating"), place.label("place")),
        )
        .join(Entry, (Entry.ladder == Rating.ladder) & (Entry.version == Rating.version))
        .join(Version, Version.digest == Rating.version)
        .where(Rating.ladder.in_(ladders), Rating.matches > 0, stays_on_ladder(Entry, Version))
        .subquery()
    )
    first = sa.select(ranked).where(ranked.c.place <= most)
    return session.execute(first.order_by(ranked.c.ladder, ranked.c.place)).all()


def _sureness(one: Skill, other: Skill) -> float:
    spread = (one.sigma**2 + other.sigma**2) ** 0.5
    return NormalDist().cdf((one.mu - other.mu) / spread)
