"""Matches and faults, as far as a caller may see them, in pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import grpc
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.records.private_log import PrivateLog, SeatLog
from arena.server.auth import Caller
from arena.server.errors import Refusal
from arena.server.messages import fault_message, match_message, seat_log_message
from arena.store.faults import faults
from arena.store.matches import MatchRow, match_named, matches, private_log_text, record_text
from arena.store.queries import NotFound, bot_named, ladder_named
from arena.store.tables import Bot, Role
from sevens.league.v1.match_pb2 import (
    ListFaultsRequest,
    ListFaultsResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    ReadMatchResponse,
)

A_PAGE = 50
MOST_ON_A_PAGE = 1000


def page_size(limit: int) -> int:
    """How many of a list a request is answered with; a limit of 0 is none given."""
    return min(limit or A_PAGE, MOST_ON_A_PAGE)


@contextmanager
def naming(field: str) -> Iterator[None]:
    """Tells what is not found as a mistake in that field, by a Refusal."""
    try:
        yield
    except NotFound as error:
        raise Refusal(grpc.StatusCode.NOT_FOUND, str(error), field) from None


def faults_asked_for(session: Session, request: ListFaultsRequest) -> ListFaultsResponse:
    limit = page_size(request.limit)
    found = faults(
        session, owner=request.owner, bot=request.bot, ladder=request.ladder, limit=limit
    )
    return ListFaultsResponse(faults=map(fault_message, found))


def matches_asked_for(session: Session, request: ListMatchesRequest) -> ListMatchesResponse:
    """A page of matches, the latest first. Raises Refusal."""
    if request.ladder:
        with naming("ladder"):
            ladder_named(session, request.ladder)
    if request.bot:
        with naming("bot"):
            bot_named(session, request.bot)
    with naming("after"):
        page = matches(
            session,
            ladder=request.ladder or None,
            bot=request.bot or None,
            after=request.after or None,
            limit=page_size(request.limit),
        )
    return ListMatchesResponse(matches=map(match_message, page.matches), next=page.next)


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
