"""Comparisons: all of them, and one with its verdict, figures and groups."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.league import LeagueComparisons
from arena.league.comparison import Status, agreed, counted_differences, figures, status_of
from arena.store.queries import comparison_named, comparisons
from arena.store.schema import Comparison
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
class Standing:
    """How a comparison stands, and its drawings."""

    status: Status
    walk: WalkFigure | None
    interval: IntervalFigure | None


STANDINGS: Cache[Standing] = Cache(64)
"""The figures of comparisons."""


def overview(request: Request) -> Response:
    """Returns the page of all comparisons."""
    with site_of(request).store.reading() as session:
        found = sorted(comparisons(session), key=lambda one: one.created_at, reverse=True)
        return render(request, "comparisons.html", comparisons=found)


def show(request: Request) -> Response:
    """Returns the page of a comparison. `after` in the address: the number of a group, after which
    the list of groups begins."""
    after = _after(request)
    with site_of(request).store.reading() as session:
        comparison = comparison_named(session, request.path_params["name"])
        progress = progress_of(session, comparison)
        tag = tag_of(request.url, request.headers.get("cookie", ""), *progress)
        return conditional(request, tag, lambda: _page(request, session, comparison, after))


def _page(request: Request, session: Session, comparison: Comparison, after: int) -> Response:
    key = (str(site_of(request).folder.path), *progress_of(session, comparison))
    standing = STANDINGS.get(key, lambda: _standing(session, comparison))
    status = standing.status
    return render(
        request,
        "comparison.html",
        found=status,
        terms=agreed(status),
        figures=figures(status),
        walk=standing.walk,
        interval=standing.interval,
        groups=LeagueComparisons().groups(session, comparison, after, GROUPS),
        after=after,
        most=GROUPS,
    )


def _standing(session: Session, comparison: Comparison) -> Standing:
    status = status_of(session, comparison)
    counting = counted_differences(session, comparison.name)
    return Standing(status, walk_figure(status, counting), interval_figure(status))


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
