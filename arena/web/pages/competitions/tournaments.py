"""Tournaments: all of them, and one with its standings, rounds and bracket."""

from __future__ import annotations

from sqlalchemy.orm import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.league.tournament import has_check_in, tournament_document
from arena.store import schema
from arena.store.queries import tournament_named
from arena.store.schema import now
from arena.views.tournaments.chess_report import chess_report
from arena.views.tournaments.tournament import Tournament
from arena.views.tournaments.tournament_list import all_tournaments
from arena.views.tournaments.words import (
    agreed,
    for_people,
    pool_tables,
    standings_table,
    withdrawals,
)
from arena.web.competitions import Cache, bracket_of, crosstable_of, progress_of
from arena.web.conditional import conditional, tag_of
from arena.web.rendering import render
from arena.web.site import site_of
from arena.web.viewer import viewer_of

DOCUMENTS: Cache[Tournament] = Cache(16)
"""The documents of tournaments: the probabilities of places are computed for each."""


def overview(request: Request) -> Response:
    """Returns the page of all tournaments."""
    site = site_of(request)
    with site.store.reading() as session:
        found = all_tournaments(session, site.folder.running()).tournaments
    latest = sorted(found, key=lambda one: one.created_at, reverse=True)
    return render(request, "tournaments.html", tournaments=latest)


def show(request: Request) -> Response:
    """Returns the page of a tournament."""
    with site_of(request).store.reading() as session:
        tournament = tournament_named(session, request.path_params["name"])
        progress = progress_of(session, tournament)
        is_checked_in = has_check_in(tournament, now())
        cookie = request.headers.get("cookie", "")
        tag = tag_of(request.url, cookie, is_checked_in, *progress)
        return conditional(
            request,
            tag,
            lambda: _page(request, document_of(request, session, tournament), is_checked_in),
        )


def download(request: Request) -> Response:
    """Returns the public document of a tournament, as JSON."""
    with site_of(request).store.reading() as session:
        tournament = tournament_named(session, request.path_params["name"])
        tag = tag_of(*progress_of(session, tournament))

        def make() -> Response:
            document = document_of(request, session, tournament)
            return Response(
                document.model_dump_json(indent=1) + "\n",
                media_type="application/json",
                headers={
                    "Content-Disposition": f'attachment; filename="{tournament.name}.json"',
                },
            )

        return conditional(request, tag, make)


def report(request: Request) -> Response:
    """Returns the chess report of a tournament of two at a table."""
    with site_of(request).store.reading() as session:
        tournament = tournament_named(session, request.path_params["name"])
        found = document_of(request, session, tournament)
    if found.terms.per_table != 2:
        raise HTTPException(404)
    return Response(
        chess_report(found),
        media_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{tournament.name}.trf"'},
    )


def document_of(request: Request, session: Session, tournament: schema.Tournament) -> Tournament:
    """Returns the document of a tournament."""
    key = (str(site_of(request).folder.path), *progress_of(session, tournament))
    return DOCUMENTS.get(key, lambda: tournament_document(session, tournament))


def _page(request: Request, found: Tournament, is_checked_in: bool) -> Response:
    """`is_checked_in`: whether owners can check in now."""
    viewer = viewer_of(request)
    owner = viewer.owner if viewer is not None and is_checked_in else None
    columns, rows = for_people(*standings_table(found))
    return render(
        request,
        "tournament.html",
        found=found,
        terms=agreed(found),
        columns=columns,
        standings=rows,
        pools=[for_people(*pool) for pool in pool_tables(found)],
        names=found.bots,
        absent=[
            one.bot for one in found.entrants if one.owner and one.owner == owner and one.is_absent
        ],
        withdrawals=withdrawals,
        crosstable=crosstable_of(found),
        bracket=bracket_of(found) if found.is_elimination else None,
    )


ROUTES = [
    Route("/tournaments", overview),
    Route("/tournaments/{name}", show),
    Route("/tournaments/{name}/document.json", download),
    Route("/tournaments/{name}/report.trf", report),
]
