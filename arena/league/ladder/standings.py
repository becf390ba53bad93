"""The table of a ladder."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.ratings import Skill
from arena.store.queries import Placing, ladder_named, rated_entries


def ladder_standings(session: Session, ladder: str) -> list[Placing]:
    """Returns the versions on a ladder, best first. Raises ArenaError."""
    ladder_named(session, ladder)
    rated = [(Skill(e.mu, e.sigma).rating, e) for e in rated_entries(session, ladder)]
    rated.sort(key=lambda one: (-one[0], one[1].bot, one[1].number))
    places: dict[float, int] = {}
    for place, (rating, _) in enumerate(rated, 1):
        places.setdefault(rating, place)
    return [Placing(places[rating], rating, entry) for rating, entry in rated]
