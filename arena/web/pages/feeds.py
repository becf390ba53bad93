"""Atom feeds (RFC 4287): the news of the arena, a ladder or a bot; and the latest of any list of
matches, such as a bot's faults."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.foreign_text import visible
from arena.moment import rfc3339
from arena.store.notices.news import PUBLIC, latest_news
from arena.store.queries import bot_named, ladder_named
from arena.store.schema import News, NewsKind
from arena.views.matches.match import Match
from arena.views.matches.match_list import find_matches
from arena.web.addresses import (
    address_of_bot,
    address_of_competition,
    address_of_list,
    address_of_match,
)
from arena.web.pages.played import title_of, wanted_matches
from arena.web.rendering import environment
from arena.web.site import site_of
from arena.web.viewer import public_origin
from sevens_games import load

LATEST = 50
ATOM = "application/atom+xml"
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of a feed without news."""


class Entry(NamedTuple):
    """An entry of a feed. `id`, `page`: addresses on this site."""

    sentence: str
    content: str
    id: str
    page: str
    at: str
    category: str


def news(request: Request) -> Response:
    """Returns a feed of news. Raises ArenaError."""
    asked = request.query_params
    ladder, bot = asked.get("ladder", ""), asked.get("bot", "")
    with site_of(request).store.reading() as session:
        if ladder:
            ladder_named(session, ladder)
        if bot:
            bot_named(session, bot)
        latest = latest_news(session, PUBLIC, ladder=ladder, bot=bot, limit=LATEST)
        entries = [_of_news(one) for one in latest]
    return _feed(request, " ".join(filter(None, ("Sevens Arena", ladder, bot))), "/", entries)


def matches(request: Request) -> Response:
    """Returns a feed of the latest matches of a list. Raises ArenaError."""
    with site_of(request).store.reading() as session:
        wanted = wanted_matches(session, request.query_params.multi_items())
        latest = find_matches(session, wanted, limit=LATEST).matches
    entries = [_of_match(one) for one in latest]
    return _feed(request, f"Sevens Arena: {title_of(wanted)}", address_of_list(wanted), entries)


def _feed(request: Request, title: str, page: str, entries: Sequence[Entry]) -> Response:
    text = (
        environment()
        .get_template("feed.xml")
        .render(
            origin=public_origin(request),
            address=f"{request.url.path}?{request.url.query}".rstrip("?"),
            title=title,
            page=page,
            updated=entries[0].at if entries else rfc3339(BEGINNING),
            entries=entries,
        )
    )
    return Response(text, media_type=ATOM)


def _of_news(news: News) -> Entry:
    sentence = visible(news.sentence)
    return Entry(
        sentence,
        sentence,
        f"/feed.atom#{news.number}",
        _address(news),
        rfc3339(news.at),
        news.kind,
    )


def _of_match(match: Match) -> Entry:
    """The sentence is the title of the match's page; the content names the faults."""
    result = environment().get_template("match/parts.html").module.result(match)  # type: ignore[attr-defined]
    faults = [
        f"{visible(seat.bot)}, {fault.kind}: {visible(fault.sentence)}"
        for seat in match.seats
        for fault in seat.faults
    ]
    title = load(match.game).title
    return Entry(
        result.striptags().strip(),
        " ".join([f"{title}, {visible(match.competition)}.", *faults]),
        f"/matches/{match.match}",
        address_of_match(match.match),
        rfc3339(match.finished_at),
        "fault" if faults else "result",
    )


def _address(news: News) -> str:
    """Returns the address of the page that has more about public news."""
    if news.kind is NewsKind.BOT_SUSPENDED:
        return address_of_bot(news.bot)
    kind = "tournament" if news.kind is NewsKind.TOURNAMENT_OVER else "ladder"
    return address_of_competition(kind, news.competition)


ROUTES = [Route("/feed.atom", news), Route("/matches.atom", matches)]
