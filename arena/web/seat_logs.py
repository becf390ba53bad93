"""The private logs of a match's seats, as far as a visitor may read them."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.errors import Kind
from arena.records import PrivateLog, SeatLog
from arena.server import Caller
from arena.store.matches import DamagedText, LostText, MatchRow, private_log_text
from arena.store.schema import Bot


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


def readable_seats(session: Session, match: MatchRow, viewer: Caller) -> list[int]:
    """Returns the seats whose private logs a visitor may read."""
    owners = {seat.bot: _owner(session, seat.bot) for seat in match.seats}
    return [seat.seat for seat in match.seats if viewer.may_read_private(owners[seat.bot])]


def _owner(session: Session, bot: str) -> str:
    found = session.get(Bot, bot)
    return found.owner if found is not None else ""
