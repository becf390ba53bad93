"""Which matches may be looked into: nothing of a deal is shown while it is still being played."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.server.auth import Caller
from arena.store.matches import MatchRow, is_in_play, match_named
from arena.store.schema import Role


def readable_match(session: Session, match: str, viewer: Caller | None = None) -> MatchRow:
    """Returns the match of that name, if the viewer may look into it. Raises ArenaError,
    except for organisers also as long as other matches with its deals are not all recorded.

    `viewer`: None for somebody whom the arena does not know.
    """
    row = match_named(session, match)
    is_organiser = viewer is not None and viewer.role is Role.ORGANISER
    if not is_organiser and is_in_play(session, row.match):
        raise ArenaError(
            Kind.FORBIDDEN,
            f"Other matches with the deals of match {row.match} are still to be played. It can be"
            " seen when they are over.",
        )
    return row
