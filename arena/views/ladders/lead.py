"""The best version of a ladder, and how sure it is that it is the best."""

from __future__ import annotations

from statistics import NormalDist

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
    rating = (Rating.mu - SIGMAS * Rating.sigma).label("rating")
    best = (
        sa.select(Version.bot, Rating.mu, Rating.sigma, Rating.matches, rating)
        .select_from(Entry)
        .join(Version, Version.digest == Entry.version)
        .join(Rating, (Rating.ladder == Entry.ladder) & (Rating.version == Entry.version))
        .where(Entry.ladder == ladder, Rating.matches > 0, stays_on_ladder(Entry, Version))
        .order_by(rating.desc(), Version.bot, Version.number)
        .limit(2)
    )
    played = session.execute(best).all()
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


def _sureness(one: Skill, other: Skill) -> float:
    spread = (one.sigma**2 + other.sigma**2) ** 0.5
    return NormalDist().cdf((one.mu - other.mu) / spread)
