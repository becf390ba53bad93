"""The news as an Atom feed (RFC 4287): of the arena, a ladder or a bot."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.moment import rfc3339
from arena.store.notices.news import PUBLIC, latest_news
from arena.store.queries import bot_named, ladder_named
from arena.store.schema import News, NewsKind
from arena.web.addresses import address_of_bot, address_of_competition
from arena.web.rendering import environment
from arena.web.site import site_of
from arena.web.viewer import public_origin

LATEST = 50
ATOM = "application/atom+xml"
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of a feed without news."""


def show(request: Request) -> Response:
    """Returns a feed. Raises ArenaError."""
    asked = request.query_params
    ladder, bot = asked.get("ladder", ""), asked.get("bot", "")
    with site_of(request).store.reading() as session:
        if ladder:
            ladder_named(session, ladder)
        if bot:
            bot_named(session, bot)
        news = latest_news(session, PUBLIC, ladder=ladder, bot=bot, limit=LATEST)
        text = (
            environment()
            .get_template("feed.xml")
            .render(
                origin=public_origin(request),
                address=f"{request.url.path}?{request.url.query}".rstrip("?"),
                title=" ".join(filter(None, ("Sevens Arena", ladder, bot))),
                updated=rfc3339(news[0].at if news else BEGINNING),
                entries=[(one, rfc3339(one.at), _address(one)) for one in news],
            )
        )
    return Response(text, media_type=ATOM)


def _address(news: News) -> str:
    """Returns the address of the page that has more about public news."""
    if news.kind is NewsKind.BOT_SUSPENDED:
        return address_of_bot(news.bot)
    kind = "tournament" if news.kind is NewsKind.TOURNAMENT_OVER else "ladder"
    return address_of_competition(kind, news.competition)


ROUTES = [Route("/feed.atom", show)]
