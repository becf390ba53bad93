"""Matches besides the operations: all of a filter in lines, records, and the data for a replay."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response, StreamingResponse

from arena.views.matches.match_filter import MatchFilter
from arena.web.api.error_answer import RESPONSES
from arena.web.api.operations import filter_of
from arena.web.api.parameters import Name
from arena.web.export import as_ndjson
from arena.web.pages.played import match as match_page
from arena.web.site import site_of

NDJSON = "application/x-ndjson"
JSON: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}}}}
router = APIRouter(tags=["matches"], responses=RESPONSES)


@router.get("/matches.ndjson", response_class=Response, responses={200: {"content": {NDJSON: {}}}})
def stream_matches(
    request: Request, wanted: Annotated[MatchFilter, Depends(filter_of)]
) -> Response:
    """All finished matches of a filter, a line each."""
    return StreamingResponse(as_ndjson(site_of(request).store, wanted), media_type=NDJSON)


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
