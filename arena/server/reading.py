"""Matches and faults, as far as a caller may see them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.records.private import PrivateLog, SeatLog
from arena.server.callers import Caller
from arena.server.messages import fault_message, seat_log_message
from arena.store.faults import faults
from arena.store.matches import MatchRow, match_named, private_log_text, record_text
from arena.store.reading import NotFound
from arena.store.tables import Bot, Role
from sevens.league.v1.match_pb2 import ListFaultsRequest, ListFaultsResponse, ReadMatchResponse

FAULTS = 50
MOST_FAULTS = 1000


def faults_asked_for(session: Session, request: ListFaultsRequest) -> ListFaultsResponse:
    limit = min(request.limit or FAULTS, MOST_FAULTS)
    found = faults(
        session, owner=request.owner, bot=request.bot, ladder=request.ladder, limit=limit
    )
    return ListFaultsResponse(faults=map(fault_message, found))


def match_for(session: Session, caller: Caller, match: str) -> ReadMatchResponse:
    """The match of that id, with the private logs that the caller may read. Raises NotFound."""
    row = match_named(session, match)
    own = own_seats(session, row, caller.owner)
    seen = range(len(row.seats)) if caller.role is Role.ORGANISER else own
    logs = dict(enumerate(_private_logs(session, row)))
    return ReadMatchResponse(
        record=record_text(session, row.match),
        digest=row.digest,
        logs=[seat_log_message(seat, logs[seat]) for seat in seen if seat in logs],
        own_seats=own,
    )


def own_seats(session: Session, match: MatchRow, owner: str) -> list[int]:
    """The seats of somebody's bots."""
    bots = set(session.scalars(sa.select(Bot.name).where(Bot.owner == owner)))
    return [seat.seat for seat in match.seats if seat.bot in bots]


def _private_logs(session: Session, match: MatchRow) -> list[SeatLog]:
    try:
        return PrivateLog.from_json(private_log_text(session, match.match)).seats
    except NotFound:  # pruned
        return []
