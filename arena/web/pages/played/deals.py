"""The deal page: all matches with the same deals side by side, in step."""

from __future__ import annotations

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.operations.readable import readable_group
from arena.store.schema import Competition
from arena.views.matches.deal_group import DealGroup, GroupKind
from arena.web.competitions import Cache
from arena.web.conditional import conditional, tag_of
from arena.web.deal import (
    Column,
    DecisionLog,
    aligned,
    decision_log,
    first_difference,
    lead_figure,
    page_of,
)
from arena.web.rendering import render
from arena.web.site import Site, site_of

LOGS: Cache[DecisionLog] = Cache(96)
"""Records never change, and replaying them takes long."""
MOST_MATCHES = 48  # side by side; a round with common deals may have more
LONGEST_NUMBER = 9  # digits


def show(request: Request) -> Response:
    """Returns the page of the deals of a match. `at` in the address: the number of a decision; the
    page with it is shown."""
    site = site_of(request)
    with site.store.reading() as session:
        group = readable_group(session, request.path_params["match"])
        digests = [match.digest for match in group.matches]
        tag = tag_of(request.url, request.headers.get("cookie", ""), *digests)
        return conditional(request, tag, lambda: _page(request, session, group))


def _page(request: Request, session: Session, group: DealGroup) -> Response:
    matches = group.matches[:MOST_MATCHES]
    columns = [Column(match, _log(site_of(request), session, match.match)) for match in matches]
    longest = max(len(column.log.decisions) for column in columns)
    first = first_difference(columns)
    start, size = page_of(_wanted(request, longest), len(columns))
    return render(
        request,
        "deal.html",
        group=group,
        competition=session.get_one(Competition, group.competition),
        kinds=GroupKind,
        columns=columns,
        left_out=len(group.matches) - len(matches),
        rows=aligned(columns, start, start + size),
        first=first,
        first_page=None if first is None else page_of(first, len(columns))[0],
        figure=lead_figure([column.log for column in columns], first),
        start=start,
        size=size,
        longest=longest,
    )


def _log(site: Site, session: Session, match: str) -> DecisionLog:
    return LOGS.get((str(site.folder.path), match), lambda: decision_log(session, match))


def _wanted(request: Request, longest: int) -> int:
    """Returns the number of the decision that the address asks for."""
    text = request.query_params.get("at", "1")
    is_number = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
    if not is_number or int(text) < 1:
        raise ArenaError(
            Kind.WRONG_INPUT, "A decision is named by its number, from 1, such as ?at=37."
        )
    if int(text) > max(longest, 1):
        raise ArenaError(
            Kind.NOT_FOUND,
            f"There is no decision {int(text)}: the longest of these matches has {longest}.",
        )
    return int(text)


ROUTES = [Route("/deals/{match}", show)]
