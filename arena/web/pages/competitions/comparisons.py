"""Comparisons: all of them, and one with its verdict, figures and groups."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.store import schema
from arena.store.queries import comparison_named
from arena.views.comparisons.comparison import Comparison, all_comparisons, comparison_of
from arena.views.comparisons.figures import agreed, figures
from arena.views.comparisons.group import counted_differences, group_page
from arena.web.competitions import (
    Cache,
    IntervalFigure,
    WalkFigure,
    interval_figure,
    progress_of,
    walk_figure,
)
from arena.web.conditional import conditional, tag_of
from arena.web.rendering import render
from arena.web.site import site_of

GROUPS = 25  # on a page
LONGEST_NUMBER = 9  # digits


@dataclass(frozen=True)
class DrawnComparison:
    """A comparison and its drawings."""

    comparison: Comparison
    walk: WalkFigure | None
    interval: IntervalFigure | None


STANDINGS: Cache[DrawnComparison] = Cache(64)
"""The figures of comparisons."""


def overview(request: Request) -> Response:
    """Returns the page of all comparisons, the latest first."""
    site = site_of(request)
    with site.store.reading() as session:
        found = all_comparisons(session, site.folder.running()).comparisons
    latest = sorted(found, key=lambda one: one.created_at, reverse=True)
    return render(request, "comparisons.html", comparisons=latest)


def show(request: Request) -> Response:
    """Returns the page of a comparison. `after` in the address: the number of a group, after which
    the list of groups begins."""
    after, site = _after(request), site_of(request)
    with site.store.reading() as session:
        row = comparison_named(session, request.path_params["name"])
        cookie = request.headers.get("cookie", "")
        tag = tag_of(request.url, cookie, *_progress(request, session, row))
        return conditional(request, tag, lambda: _page(request, session, row, after))


def _page(request: Request, session: Session, row: schema.Comparison, after: int) -> Response:
    key = _progress(request, session, row)
    standing = STANDINGS.get(key, lambda: _standing(request, session, row))
    comparison = standing.comparison
    return render(
        request,
        "comparison.html",
        found=comparison,
        terms=agreed(comparison),
        figures=figures(comparison),
        walk=standing.walk,
        interval=standing.interval,
        page=group_page(session, comparison.comparison, after, GROUPS),
        after=after,
        most=GROUPS,
    )


def _standing(request: Request, session: Session, row: schema.Comparison) -> DrawnComparison:
    is_run = site_of(request).folder.running()(row.name)
    comparison = comparison_of(session, row, is_run=is_run)
    counting = counted_differences(session, row.name)
    return DrawnComparison(
        comparison, walk_figure(comparison, counting), interval_figure(comparison)
    )


def _progress(request: Request, session: Session, row: schema.Comparison) -> tuple[object, ...]:
    """Returns all that a comparison's figures depend on."""
    folder = site_of(request).folder
    return (str(folder.path), folder.running()(row.name), *progress_of(session, row))


def _after(request: Request) -> int:
    text = request.query_params.get("after", "0")
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise ArenaError(
            Kind.WRONG_INPUT, "The list of groups begins after a number, such as ?after=25."
        )
    return int(text)


ROUTES = [
    Route("/comparisons", overview),
    Route("/comparisons/{name}", show),
]
