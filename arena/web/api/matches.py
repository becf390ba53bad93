"""Matches: lists, single ones, records, replays, and the logs that only their owners may read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.encoders import jsonable_encoder
from starlette.responses import Response, StreamingResponse

from arena.errors import ArenaError, Kind
from arena.records import SeatLog
from arena.server.handlers import readable_match
from arena.store.matches import (
    DealGroup,
    MatchFilter,
    MatchRow,
    count_matches,
    find_matches,
    group_of,
    match_named,
)
from arena.web.api.answers import answered
from arena.web.api.error_answer import RESPONSES
from arena.web.api.parameters import After, Asking, Limit, Name, Reading, Wanted
from arena.web.pages.played import match as match_page
from arena.web.seat_logs import readable_seats, seat_logs
from arena.web.site import Site, site_of

NDJSON = "application/x-ndjson"
AT_ONCE = 200
JSON: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}}}}
router = APIRouter(tags=["matches"], responses=RESPONSES)


@dataclass(frozen=True)
class Matches:
    """A page of matches.

    `count`: of all pages; exact unless `counted_to_the_end` is false: then there are more.
    `next`: what to pass as `after` for the next page; None at the end.
    """

    matches: tuple[MatchRow, ...]
    count: int
    counted_to_the_end: bool
    next: str | None


@router.get("/matches", response_model=Matches)
def list_matches(
    request: Request, session: Reading, wanted: Wanted, after: After = "", limit: Limit = 50
) -> Response:
    """Finished matches, by the filter of the page with the same parameters."""
    page = find_matches(session, wanted, after=after or None, limit=limit)
    count = count_matches(session, wanted)
    return answered(request, Matches(page.matches, count.number, not count.more, page.next))


@router.get("/matches.ndjson", response_class=Response, responses={200: {"content": {NDJSON: {}}}})
def stream_matches(request: Request, wanted: Wanted) -> Response:
    """All finished matches of a filter, a line each."""
    return StreamingResponse(_lines(site_of(request), wanted), media_type=NDJSON)


def _lines(site: Site, wanted: MatchFilter) -> Iterator[str]:
    """Yields the lines, with a short transaction for each page."""
    after: str | None = None
    while True:
        with site.store.reading() as session:
            page = find_matches(session, wanted, after=after, limit=AT_ONCE)
        for match in page.matches:
            yield json.dumps(jsonable_encoder(match), ensure_ascii=False) + "\n"
        if page.next is None:
            return
        after = page.next


@router.get("/matches/{match}", response_model=MatchRow)
def read_match(request: Request, session: Reading, match: Name) -> Response:
    """A finished match with its result, but not how it was played."""
    return answered(request, match_named(session, match))


@router.get("/matches/{match}/record", response_class=Response, responses=JSON)
def read_record(request: Request, match: Name) -> Response:
    """The record of a match in canonical form, as docs/records.md describes it."""
    return match_page.record_json(request)


@router.get("/matches/{match}/replay", response_class=Response, responses=JSON)
def read_replay(
    request: Request,
    match: Name,
    seat: Annotated[int | None, Query(ge=0, le=99, description="None: the spectator.")] = None,
) -> Response:
    """All that the page draws of a match in one view: what a seat was sent, or everything."""
    return match_page.replay_json(request)


@router.get("/matches/{match}/logs", response_model=dict[int, SeatLog])
def read_logs(request: Request, session: Reading, match: Name, asking: Asking) -> Response:
    """The private logs of your own seats in a match, by seat: notes, stderr, words at a fault."""
    if asking is None:
        raise ArenaError(
            Kind.UNAUTHENTICATED,
            "Private logs are for the owners of bots: send your token.",
            "token",
        )
    row = match_named(session, match)
    logs = seat_logs(session, row.match)
    own = [seat for seat in readable_seats(session, row, asking) if seat < len(logs)]
    return answered(request, {seat: logs[seat] for seat in own})


@router.get("/matches/{match}/group", response_model=DealGroup)
def read_group(request: Request, session: Reading, match: Name) -> Response:
    """All matches with the deals of this one, once the last of them is over."""
    return answered(request, group_of(session, readable_match(session, match).match))
