"""The course of a match, and the texts of its bots."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.errors import Kind
from arena.records import PrivateLog, SeatLog
from arena.store.texts import DamagedText, LostText, private_log_text
from arena.views.matches.match import Match
from arena.views.view import View


class SeatLogs(View):
    """Private logs by seat, as far as their reader may see them."""

    logs: dict[int, SeatLog]


class PlayedMatch(SeatLogs):
    """A match with all that its reader may see.

    `record`: in canonical form, see docs/records.md.
    `own_seats`: those of the reader's bots.
    `warning`: why the private logs cannot be read; empty if they can.
    """

    match: Match
    record: str
    own_seats: tuple[int, ...]
    warning: str = ""


def seat_logs(session: Session, match: str) -> list[SeatLog]:
    """Returns the private logs of a match by seat. Raises ArenaError, and LostText if they have
    been pruned or are damaged."""
    try:
        return PrivateLog.from_json(private_log_text(session, match)).seats
    except (DamagedText, ValueError) as error:
        raise LostText(
            Kind.UNUSABLE,
            f"The private log of match {match} is damaged ({error}); only a backup of the arena may"
            " still have it.",
        ) from None
