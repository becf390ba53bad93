"""What others may do with tables, in one place for the server and the commands."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from arena.league.table.tables import Sitter, sit_down, sit_down_again
from arena.store.schema import Table


class LeagueTables:
    """Seats people at tables. Raises what its functions raise."""

    def sit_down(
        self, session: Session, owner: str, address: str, game: str, **terms: Any
    ) -> tuple[Table, str]:
        seated = sit_down(session, Sitter(owner, address), game, **terms)
        return seated.table, seated.key

    def sit_down_again(
        self, session: Session, owner: str, address: str, match: str, **terms: Any
    ) -> tuple[Table, str]:
        seated = sit_down_again(session, Sitter(owner, address), match, **terms)
        return seated.table, seated.key
