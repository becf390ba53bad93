"""The list of matches: what a filter in the address asks for, as a page or as a file."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus

import sqlalchemy as sa
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.store.queries import bot_named
from arena.store.schema import Competition
from arena.views.matches.match_filter import MatchFilter, Order, Result
from arena.views.matches.match_list import count_matches, find_matches
from arena.views.matches.match_query import from_query
from arena.web.addresses import address_of_list
from arena.web.export import EXPORTS
from arena.web.rendering import render
from arena.web.site import site_of
from sevens_games import load, slugs

AFTER = "after"  # the parameter that asks for the next page
PART = "part"  # and that which asks for what was found, without the page around it
FOUND = "found"
AT_ONCE = 50
MOST_NAMES = 100  # of competitions that the form suggests


def show(request: Request) -> Response:
    """Returns a page of the list, or only what was found. A filter that cannot be is returned with
    what is wrong."""
    pairs = request.query_params.multi_items()
    part = _part(request)
    after = request.query_params.get(AFTER) or None
    with site_of(request).store.reading() as session:
        competitions = _latest_competitions(session)
        try:
            wanted = wanted_matches(session, pairs)
        except ArenaError as wrong:
            if wrong.kind is not Kind.WRONG_INPUT:
                raise
            return render(
                request,
                "matches.html",
                HTTPStatus.BAD_REQUEST,
                wanted=MatchFilter(),
                values=dict(pairs),
                problem=wrong,
                competitions=competitions,
                games=slugs(),
            )
        page = find_matches(session, wanted, after=after, limit=AT_ONCE)
        latest = find_matches(session, limit=1).matches
        return render(
            request,
            "parts/matches_found.html" if part else "matches.html",
            wanted=wanted,
            values=dict(pairs),
            problem=None,
            title=title_of(wanted),
            count=count_matches(session, wanted),
            page=page,
            is_first=after is None,
            next_page=page.next and address_of_list(wanted, after=page.next),
            follows=after is None and _begins_with_news(wanted),
            latest=latest[0].match if latest else "",
            exports=list(EXPORTS),
            competitions=competitions,
            games=slugs(),
        )


def export(request: Request) -> Response:
    """Returns the whole list as a file."""
    kind = request.path_params["kind"]
    site = site_of(request)
    if kind not in EXPORTS:
        raise ArenaError(
            Kind.NOT_FOUND, f"Matches are exported as {', '.join(EXPORTS)}, not as {kind!r}."
        )
    with site.store.reading() as session:
        wanted = wanted_matches(session, request.query_params.multi_items())
    write, media_type = EXPORTS[kind]
    return StreamingResponse(
        write(site.store, wanted),
        media_type=media_type,
        headers={"Content-Disposition": f'attachment; filename="matches.{kind}"'},
    )


def title_of(wanted: MatchFilter) -> str:
    """Returns a few words for these matches; names in them are strangers' text."""
    kinds = {Result.WON: "won by", Result.LOST: "lost by", None: "of"}
    words = ["Matches"]
    if wanted.bot:
        words += [kinds[wanted.result], _versioned(wanted.bot, wanted.number)]
    if wanted.against:
        words += ["against", _versioned(wanted.against, wanted.against_number)]
    if wanted.game:
        words += ["at", load(wanted.game).title]
    if wanted.competition:
        words += ["for", wanted.competition]
    if wanted.faulted:
        words += [f"with the fault {wanted.fault}" if wanted.fault else "with a fault"]
    orders = {Order.WORST: ", the worst losses first", Order.BEST: ", the best wins first"}
    return " ".join(words) + orders.get(wanted.order, "")


def _begins_with_news(wanted: MatchFilter) -> bool:
    """True if a match that finishes now could be on the first page."""
    return wanted.order is Order.LATEST and wanted.until is None


def _part(request: Request) -> str:
    part = request.query_params.get(PART, "")
    if part not in ("", FOUND):
        raise ArenaError(Kind.WRONG_INPUT, f"This page has the part {FOUND}, not {part[:50]!r}.")
    return part


def wanted_matches(session: Session, pairs: Iterable[tuple[str, str]]) -> MatchFilter:
    """Returns the filter of an address. Raises ArenaError about a name."""
    wanted = from_query((name, value) for name, value in pairs if name not in (AFTER, PART))
    for bot in filter(None, (wanted.bot, wanted.against)):
        bot_named(session, bot)
    if wanted.game and wanted.game not in slugs():
        raise ArenaError(Kind.NOT_FOUND, no_such("game", wanted.game, slugs()))
    if wanted.competition and session.get(Competition, wanted.competition) is None:
        known = session.scalars(sa.select(Competition.name).order_by(Competition.name)).all()
        raise ArenaError(Kind.NOT_FOUND, no_such("competition", wanted.competition, known))
    return wanted


def _latest_competitions(session: Session) -> list[str]:
    latest = sa.select(Competition.name).order_by(Competition.created_at.desc())
    return sorted(session.scalars(latest.limit(MOST_NAMES)))


def _versioned(bot: str, number: int) -> str:
    return f"{bot} v{number}" if number else bot


ROUTES = [Route("/matches", show), Route("/matches.{kind}", export)]
