"""The table of a ladder, as it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.ratings.rater import Skill
from arena.store.reading import RatedEntry, ladder_named, rated_entries


@dataclass(frozen=True)
class Placing:
    """A version's place on a ladder. Equal ratings share a place."""

    place: int
    rating: float
    entry: RatedEntry


def standings(session: Session, ladder: str) -> list[Placing]:
    """The versions on a ladder, the best first. Raises NotFound."""
    ladder_named(session, ladder)
    rated = [(Skill(e.mu, e.sigma).rating, e) for e in rated_entries(session, ladder)]
    rated.sort(key=lambda one: (-one[0], one[1].bot, one[1].number))
    return [
        Placing(1 + sum(other > rating for other, _ in rated), rating, entry)
        for rating, entry in rated
    ]
