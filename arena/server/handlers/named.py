"""Names by which callers narrow a list: an unknown one is a mistake, not an empty list."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.games import slugs
from arena.nearest import no_such
from arena.store.queries import (
    bot_named,
    check_owner,
    comparison_named,
    ladder_named,
    tournament_named,
)


def _check_game(session: Session, slug: str) -> None:
    """Raises ArenaError."""
    if slug not in slugs():
        raise ArenaError(Kind.NOT_FOUND, no_such("game", slug, slugs()), "game")


CHECKS: Mapping[str, Callable[[Session, str], object]] = {
    "ladder": ladder_named,
    "tournament": tournament_named,
    "comparison": comparison_named,
    "game": _check_game,
    "bot": bot_named,
    "against": bot_named,
    "owner": check_owner,
}


def check_named(session: Session, **names: str) -> None:
    """Raises ArenaError, which names the field, for the first name that nothing has. Empty names
    stand for none given."""
    for field, name in names.items():
        if name:
            with naming(field):
                CHECKS[field](session, name)
