"""Matches and faults, in pages, and the private logs that a caller may read."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.records import PrivateLog, SeatLog
from arena.server.errors import invalid, naming
from arena.server.handlers.call import Call
from arena.server.handlers.named import check_named
from arena.server.handlers.paging import page_size
from arena.server.messages import fault_message, match_message, seat_log_message
from arena.store import (
    Bot,
    MatchFilter,
    MatchRow,
    NotFound,
    Result,
    Role,
    find_faults,
    find_matches,
    match_named,
    private_log_text,
    record_text,
)
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


def list_matches(call: Call, request: ListMatchesRequest) -> ListMatchesResponse:
    """Returns a page of finished matches, latest first. Raises Refusal."""
    wanted = _wanted(request)
    with call.store.reading() as session:
        check_named(
            session,
            ladder=request.ladder,
            tournament=request.tournament,
            bot=wanted.bot,
            against=wanted.against,
        )
        with naming("after"):
            page = find_matches(
                session, wanted, after=request.after or None, limit=page_size(request.limit)
            )
        return ListMatchesResponse(matches=map(match_message, page.matches), next=page.next)


def _wanted(request: ListMatchesRequest) -> MatchFilter:
    """Raises Refusal if an opponent or a result is wanted, but not of which bot."""
    if request.result and request.result not in RESULTS:
        raise invalid("A match's result is one of won, lost.", "result")
    if not request.bot and (request.against or request.result):
        raise invalid(
            "Opponents and results are those of a bot: name it as well (--bot).",
            "bot",
        )
    played_for = [name for name in (request.ladder, request.tournament, request.comparison) if name]
    if len(played_for) > 1:
        raise invalid(
            "Matches are of a ladder, a tournament or a comparison: name one.", "tournament"
        )
    return MatchFilter(
        competition="".join(played_for),
        bot=request.bot,
        against=request.against,
        result=RESULTS.get(request.result),
        faulted=request.faulted,
    )


def read_match(call: Call, request: ReadMatchRequest) -> ReadMatchResponse:
    """Returns a match with the private logs that the caller may read. Raises NotFound."""
    with call.store.reading() as session:
        row = match_named(session, request.match)
        own = _own_seats(session, row, call.caller.owner)
        visible = range(len(row.seats)) if call.caller.role is Role.ORGANISER else own
        logs = dict(enumerate(_private_logs(session, row)))
        return ReadMatchResponse(
            record=record_text(session, row.match),
            digest=row.digest,
            logs=[seat_log_message(seat, logs[seat]) for seat in visible if seat in logs],
            own_seats=own,
        )


def list_faults(call: Call, request: ListFaultsRequest) -> ListFaultsResponse:
    """Returns the latest faults: of an owner, a bot or a ladder, if given. Raises Refusal."""
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


def _own_seats(session: Session, match: MatchRow, owner: str) -> list[int]:
    bots = set(session.scalars(sa.select(Bot.name).where(Bot.owner == owner)))
    return [seat.seat for seat in match.seats if seat.bot in bots]


def _private_logs(session: Session, match: MatchRow) -> list[SeatLog]:
    try:
        return PrivateLog.from_json(private_log_text(session, match.match)).seats
    except NotFound:  # pruned
        return []
