"""The ends of what bots wrote to stderr in a match, for their owners."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.foreign_text import ending
from arena.store.texts import LostText
from arena.views.matches.played import seat_logs

STDERR_BYTES = 4 * 1024  # the rest is in the log to download


def stderr_ends(session: Session, match: str, seats: Sequence[int]) -> dict[int, str]:
    """Returns them by seat, for those of these seats whose bots wrote any; none if the log has
    been pruned or is damaged."""
    try:
        logs = seat_logs(session, match)
    except LostText:
        return {}
    ends = {seat: ending(logs[seat].stderr, STDERR_BYTES).strip("\n") for seat in seats}
    return {seat: text for seat, text in ends.items() if text}
