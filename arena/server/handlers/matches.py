"""Matches and faults, in pages, and the private logs that a caller may read."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.records import PrivateLog, SeatLog
from arena.server.auth import Caller
from arena.server.handlers.call import Call
from arena.server.handlers.named import check_named
from arena.server.handlers.paging import page_size
from arena.server.handlers.readable import readable_match
from arena.server.messages import fault_message, match_message, seat_log_message
from arena.store.faults import find_faults
from arena.store.matches import (
    ANY_FAULT,
    LostText,
    MatchFilter,
    MatchRow,
    Order,
    Result,
    find_matches,
    from_query,
    private_log_text,
    record_text,
)
from arena.store.schema import Bot, Role
from sevens.league.v1 import match_pb2
from sevens.league.v1.match_pb2 import (
    ListFaultsRequest,
    ListFaultsResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    ReadMatchRequest,
    ReadMatchResponse,
)

RESULTS = {
    match_pb2.MATCH_RESULT_WON: Result.WON,
    match_pb2.MATCH_RESULT_LOST: Result.LOST,
}
ORDERS = {
    match_pb2.MATCH_ORDER_LATEST: Order.LATEST,
    match_pb2.MATCH_ORDER_WORST: Order.WORST,
    match_pb2.MATCH_ORDER_BEST: Order.BEST,
}
FIELDS = {"slowest": "slowest_ms"}  # of a request, where the filter has another name


def list_matches(call: Call, request: ListMatchesRequest) -> ListMatchesResponse:
    """Returns a page of finished matches. Raises ArenaError."""
    wanted = _wanted(request)
    with call.store.reading() as session:
        check_named(
            session,
            ladder=request.ladder,
            tournament=request.tournament,
            game=wanted.game,
            bot=wanted.bot,
            against=wanted.against,
        )
        with naming("after"):
            page = find_matches(
                session, wanted, after=request.after or None, limit=page_size(request.limit)
            )
        return ListMatchesResponse(matches=map(match_message, page.matches), next=page.next)


def _wanted(request: ListMatchesRequest) -> MatchFilter:
    """Returns the filter asked for. Raises ArenaError if there can be no such one."""
    if request.result and request.result not in RESULTS:
        raise ArenaError(Kind.WRONG_INPUT, "A match's result is one of won, lost.", "result")
    if request.order and request.order not in ORDERS:
        raise ArenaError(
            Kind.WRONG_INPUT, "The order of matches is one of latest, worst, best.", "order"
        )
    order = ORDERS.get(request.order, Order.LATEST)
    of_a_bot = request.against or request.result or request.HasField("seat")
    if not request.bot and (of_a_bot or order is not Order.LATEST):
        raise ArenaError(
            Kind.WRONG_INPUT,
            "Opponents, results, seats, the worst and the best matches are those of a bot: name it"
            " as well (--bot).",
            "bot",
        )
    played_for = [name for name in (request.ladder, request.tournament, request.comparison) if name]
    if len(played_for) > 1:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "Matches are of a ladder, a tournament or a comparison: name one.",
            "tournament",
        )
    pairs = {
        "competition": "".join(played_for),
        "game": request.game,
        "bot": request.bot,
        "against": request.against,
        "result": RESULTS.get(request.result, ""),
        "fault": request.fault or (ANY_FAULT if request.faulted else ""),
        "seat": str(request.seat) if request.HasField("seat") else "",
        "seats": str(request.seats or ""),
        "since": _moment(request, "since"),
        "until": _moment(request, "until"),
        "slowest": str(request.slowest_ms or ""),
        "order": order,
    }
    try:
        return from_query(pairs.items())
    except ArenaError as wrong:
        raise ArenaError(
            Kind.WRONG_INPUT, wrong.sentence, FIELDS.get(wrong.field, wrong.field)
        ) from None


def _moment(request: ListMatchesRequest, field: str) -> str:
    """Returns a moment of a request as text; empty if it is not given. Raises ArenaError."""
    if not request.HasField(field):
        return ""
    try:
        return f"{getattr(request, field).ToDatetime():%Y-%m-%dT%H:%M:%S.%fZ}"
    except (ValueError, OverflowError):
        raise ArenaError(
            Kind.WRONG_INPUT, f"{field} is not a moment of the years 2 to 9998.", field
        ) from None


def read_match(call: Call, request: ReadMatchRequest) -> ReadMatchResponse:
    """Returns a match with the private logs that the caller may read. Raises ArenaError."""
    with call.store.reading() as session:
        row = readable_match(session, request.match, call.caller)
        own = _own_seats(session, row, call.caller.owner)
        visible = _visible_seats(call.caller, row, own)
        logs = dict(enumerate(_private_logs(session, row)))
        return ReadMatchResponse(
            record=record_text(session, row.match),
            digest=row.digest,
            logs=[seat_log_message(seat, logs[seat]) for seat in visible if seat in logs],
            own_seats=own,
        )


def list_faults(call: Call, request: ListFaultsRequest) -> ListFaultsResponse:
    """Returns the latest faults: of an owner, a bot or a ladder, if given. Raises ArenaError."""
    with call.store.reading() as session:
        check_named(session, ladder=request.ladder, bot=request.bot, owner=request.owner)
        found = find_faults(
            session,
            owner=request.owner,
            bot=request.bot,
            competition=request.ladder,
            limit=page_size(request.limit),
        )
        return ListFaultsResponse(faults=[fault_message(fault, call.caller) for fault in found])


def _visible_seats(caller: Caller, match: MatchRow, own: Sequence[int]) -> Sequence[int]:
    """Returns the seats whose private logs the caller may read."""
    if caller.role is Role.ORGANISER:
        return range(len(match.seats))
    return own if caller.may_read_private(caller.owner) else ()


def _own_seats(session: Session, match: MatchRow, owner: str) -> list[int]:
    bots = set(session.scalars(sa.select(Bot.name).where(Bot.owner == owner)))
    return [seat.seat for seat in match.seats if seat.bot in bots]


def _private_logs(session: Session, match: MatchRow) -> list[SeatLog]:
    try:
        return PrivateLog.from_json(private_log_text(session, match.match)).seats
    except LostText:  # pruned
        return []
