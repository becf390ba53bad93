"""Tournaments: all of them, and one with its standings, rounds and bracket."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.league import LeagueTournaments
from arena.league.tournament import (
    agreed,
    for_people,
    is_elimination,
    reason_of_pairing,
    standings_table,
    totals,
)
from arena.store.queries import tournament_named, tournaments
from arena.store.schema import Tournament
from arena.web.competitions import Cache, bracket_of, progress_of
from arena.web.conditional import conditional, tag_of
from arena.web.rendering import render
from arena.web.site import site_of

DOCUMENTS: Cache[dict[str, Any]] = Cache(16)
"""The documents of tournaments: the probabilities of places are computed for each."""


def overview(request: Request) -> Response:
    """Returns the page of all tournaments."""
    with site_of(request).store.reading() as session:
        found = sorted(tournaments(session), key=lambda one: one.created_at, reverse=True)
        return render(request, "tournaments.html", tournaments=found)


def show(request: Request) -> Response:
    """Returns the page of a tournament."""
    with site_of(request).store.reading() as session:
        tournament = tournament_named(session, request.path_params["name"])
        progress = progress_of(session, tournament)
        tag = tag_of(request.url, request.headers.get("cookie", ""), *progress)
        return conditional(
            request, tag, lambda: _page(request, _document(request, session, tournament))
        )


def download(request: Request) -> Response:
    """Returns the public document of a tournament, as JSON."""
    with site_of(request).store.reading() as session:
        tournament = tournament_named(session, request.path_params["name"])
        tag = tag_of(*progress_of(session, tournament))

        def make() -> Response:
            document = _document(request, session, tournament)
            return Response(
                json.dumps(document, ensure_ascii=False, indent=1) + "\n",
                media_type="application/json",
                headers={
                    "Content-Disposition": f'attachment; filename="{tournament.name}.json"',
                },
            )

        return conditional(request, tag, make)


def _document(request: Request, session: Session, tournament: Tournament) -> dict[str, Any]:
    key = (str(site_of(request).folder.path), *progress_of(session, tournament))
    return DOCUMENTS.get(key, lambda: LeagueTournaments().document(session, tournament))


def _page(request: Request, document: dict[str, Any]) -> Response:
    columns, rows = for_people(*standings_table(document))
    return render(
        request,
        "tournament.html",
        found=document,
        terms=agreed(document),
        columns=columns,
        standings=rows,
        names={one["number"]: one["bot"] for one in document["entrants"]},
        is_elimination=is_elimination(document),
        bracket=bracket_of(document) if is_elimination(document) else None,
        totals=totals,
        reason_of_pairing=reason_of_pairing,
    )


ROUTES = [
    Route("/tournaments", overview),
    Route("/tournaments/{name}", show),
    Route("/tournaments/{name}/document.json", download),
]
