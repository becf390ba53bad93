"""The events of a tournament from its start on: the links of its chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.schema import Tournament, TournamentEventKind, now
from arena.store.schema import TournamentEvent as Row
from arena.views.tournaments.event import PlannedEntrant, TournamentEvent

MOST_NAMES = 10  # in a sentence


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


def beacon_value(session: Session, tournament: Tournament) -> str:
    """Returns the value of a tournament's beacon; empty as long as it is not drawn."""
    drawn = sa.select(Row.sentence).where(
        Row.tournament == tournament.name, Row.kind == TournamentEventKind.DRAWN
    )
    return session.scalar(drawn) or ""


def attempts_before(session: Session, game: str) -> str:
    """Returns a sentence about the tournaments of a game that were cancelled after their start, and
    may have been attempts at deals that suited their organiser; empty if there are none."""
    cancelled = session.scalars(
        sa.select(Tournament.name)
        .join(Row, Row.tournament == Tournament.name)
        .where(Tournament.game == game, Row.kind == TournamentEventKind.CANCELLED)
        .order_by(Row.at.desc(), Tournament.name)
    ).all()
    if not cancelled:
        return ""
    count = "1 tournament" if len(cancelled) == 1 else f"{len(cancelled)} tournaments"
    return f"{count} of {game} cancelled after the start, before this one: {named(cancelled)}."


def named(names: Sequence[str]) -> str:
    """Returns names for a sentence, without those that would make it too long."""
    return ", ".join(names[:MOST_NAMES]) + ("…" if names[MOST_NAMES:] else "")


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
