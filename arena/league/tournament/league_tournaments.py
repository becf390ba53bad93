"""What others may do with tournaments, in one place for the server and the commands."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from arena.league.tournament.document import tournament_document
from arena.league.tournament.tournaments import (
    change_state,
    create_tournament,
    enter_tournament,
    leave_tournament,
)
from arena.store.schema import CompetitionState, Tournament, TournamentEntrant, Version


class LeagueTournaments:
    """Creates, changes and describes tournaments. Raises what its functions raise."""

    def create(self, session: Session, name: str, game: str, **terms: Any) -> Tournament:
        return create_tournament(session, name, game, **terms)

    def enter(
        self, session: Session, tournament: Tournament, version: Version
    ) -> TournamentEntrant:
        return enter_tournament(session, tournament, version)

    def leave(
        self, session: Session, tournament: Tournament, version: Version, reason: str
    ) -> TournamentEntrant:
        return leave_tournament(session, tournament, version, reason)

    def change(self, session: Session, tournament: Tournament, state: CompetitionState) -> None:
        change_state(session, tournament, state)

    def document(self, session: Session, tournament: Tournament) -> dict[str, Any]:
        return tournament_document(session, tournament)
