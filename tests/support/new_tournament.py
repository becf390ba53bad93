"""Creates tournaments in the store with the terms that an organiser need not choose."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from arena.league.tournament import create_tournament
from arena.queue import Clock
from arena.store.schema import Format, Partners, Tournament
from arena.tournament import TournamentTerms


def new_tournament(
    session: Session,
    name: str,
    game: str = "xeri",
    *,
    terms: TournamentTerms,
    options: dict[str, Any] | None = None,
    **others: Any,
) -> Tournament:
    """Creates a tournament without entrants; in Xeri, with matches of 1 deal unless `options` says
    otherwise."""
    if options is None:
        options = {"deals": 1} if game == "xeri" else {}
    usual = {
        "seats": None,
        "clock": Clock.model_validate({}),
        "format": Format.DUPLICATE,
        "partners": Partners.SAME,
        "common_deals": True,
    }
    return create_tournament(session, name, game, terms=terms, options=options, **usual | others)
