"""The events of a tournament from its start on: the links of its chain."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.schema import Tournament, TournamentEventKind, now
from arena.store.schema import TournamentEvent as Row
from arena.views.tournaments.event import PlannedEntrant, TournamentEvent


def add_event(
    session: Session,
    tournament: Tournament,
    kind: TournamentEventKind,
    *,
    round: int = 0,
    entrant: int | None = None,
    sentence: str = "",
) -> None:
    """Adds an event. What comes before the start is in the plan, and adds none."""
    if not tournament.plan_digest:
        return
    count = sa.select(sa.func.count()).where(Row.tournament == tournament.name)
    session.add(
        Row(
            tournament=tournament.name,
            number=1 + (session.scalar(count) or 0),
            at=now(),
            kind=kind,
            round=round,
            entrant=entrant,
            sentence=sentence,
        )
    )
    session.flush()


def events_of(
    session: Session, tournament: str, entrants: Mapping[int, PlannedEntrant]
) -> tuple[TournamentEvent, ...]:
    """Returns the events of a tournament. `entrants`: by number."""
    rows = session.scalars(sa.select(Row).where(Row.tournament == tournament).order_by(Row.number))
    return tuple(
        TournamentEvent(
            at=row.at,
            kind=row.kind,
            round=row.round,
            entrant=None if row.entrant is None else entrants[row.entrant],
            sentence=row.sentence,
        )
        for row in rows
    )
