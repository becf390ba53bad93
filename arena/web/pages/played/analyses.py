"""The analysis of a match: its document, and the part of the match page that shows it or asks for
it."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.operations.readable import readable_match
from arena.records import read
from arena.store.schema import Role
from arena.store.texts import LostText, record_text
from arena.views.matches.analysis import (
    Analysis,
    AnalysisState,
    StoredAnalysis,
    stored_analysis,
)
from arena.views.matches.match import Match
from arena.web.conditional import conditional, tag_of
from arena.web.http import packed_answer, packed_json
from arena.web.rendering import render
from arena.web.replay import FORMAT, MarkedDecision, analysis_document, marked_decisions
from arena.web.site import site_of
from arena.web.viewer import viewer_of

PART = "analysis"


def analysis_of(request: Request, session: Session, row: Match) -> StoredAnalysis:
    """Returns the analysis of a match that the visitor may look into; a damaged one as failed."""
    try:
        return stored_analysis(session, row.match)
    except LostText as lost:
        return StoredAnalysis(state=AnalysisState.FAILED, reason=lost.sentence)


def analysis_context(request: Request, session: Session, row: Match) -> dict[str, Any]:
    """Returns what the template of the part needs. Raises ArenaError and BadRecord."""
    viewer = viewer_of(request)
    stored = analysis_of(request, session, row)
    return {
        "row": row,
        "stored": stored,
        "marked": _marked(session, row, stored.analysis),
        "moments": "?",
        "may_ask": viewer is not None and viewer.role in (Role.OWNER, Role.ORGANISER),
    }


def _marked(session: Session, row: Match, analysis: Analysis | None) -> list[MarkedDecision]:
    if analysis is None:
        return []
    return marked_decisions(read(record_text(session, row.match)), analysis)


def part(request: Request) -> Response:
    """Returns the part alone, for a page that waits for the analysis."""
    with site_of(request).store.reading() as session:
        row = readable_match(session, request.path_params["match"], viewer_of(request))
        return render(request, "match/analysis.html", **analysis_context(request, session, row))


def analysis_json(request: Request) -> Response:
    """Returns the analysis of a match as pages draw it."""
    with site_of(request).store.reading() as session:
        row = readable_match(session, request.path_params["match"], viewer_of(request))
        analysis = analysis_of(request, session, row).analysis
        if analysis is None:
            raise ArenaError(Kind.NOT_FOUND, f"There is no analysis of match {row.match} yet.")
        tag = tag_of(PART, row.digest, analysis.budget, analysis.seed, FORMAT)
        return conditional(
            request, tag, lambda: packed_answer(request, packed_json(analysis_document(analysis)))
        )


ROUTES = [Route("/matches/{match}/analysis.json", analysis_json)]
