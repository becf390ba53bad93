"""For programs that walk through the pages: the places that are closed to them, and a map."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.store import schema
from arena.store.schema import NOBODY
from arena.web.addresses import PAGES, address_of_bot, address_of_competition
from arena.web.http import static_address
from arena.web.rendering import environment
from arena.web.site import site_of
from arena.web.viewer import public_origin
from sevens_games import slugs

MOST_COMPETITIONS, MOST_BOTS = 2000, 10_000
LISTS = ("/", "/games", *PAGES.values(), "/matches", "/tv", "/play")
CLOSED = (
    "/api/",
    "/do/",
    "/feed.atom",
    "/login",
    "/matches?",
    "/matches.",
    "/organiser",
    "/own",
    "/search",
)
"""Private pages, and lists without end."""


def robots(request: Request) -> Response:
    """Returns the places where programs need not look."""
    path = site_of(request).settings.path
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}{place}" for place in CLOSED),
        f"Sitemap: {public_origin(request)}/sitemap.xml",
    ]
    return PlainTextResponse("".join(f"{line}\n" for line in lines))


def sitemap(request: Request) -> Response:
    """Returns the addresses of the pages that stay: of games, competitions and bots."""
    with site_of(request).store.reading() as session:
        addresses = [*LISTS, *_games(), *_competitions(session), *_bots(session)]
    text = (
        environment()
        .get_template("sitemap.xml")
        .render(origin=public_origin(request), addresses=addresses)
    )
    return Response(text, media_type="application/xml")


def icon(request: Request) -> Response:
    """Leads programs to the icon that read no page before."""
    return RedirectResponse(static_address("icons/192.png"))


def _games() -> Iterator[str]:
    for slug in slugs():
        yield from (f"/games/{slug}", f"/games/{slug}/rules")


def _competitions(session: Session) -> Iterator[str]:
    latest = (
        sa.select(schema.Competition.kind, schema.Competition.name)
        .where(schema.Competition.kind.in_(PAGES))
        .order_by(schema.Competition.created_at.desc())
        .limit(MOST_COMPETITIONS)
    )
    for kind, name in session.execute(latest):
        yield address_of_competition(kind, name)


def _bots(session: Session) -> Iterator[str]:
    names = (
        sa.select(schema.Bot.name)
        .where(schema.Bot.owner != NOBODY, schema.Bot.name.not_in(sa.select(schema.Table.person)))
        .order_by(schema.Bot.created_at.desc())
        .limit(MOST_BOTS)
    )
    return map(address_of_bot, session.scalars(names))


ROUTES = [
    Route("/robots.txt", robots),
    Route("/sitemap.xml", sitemap),
    Route("/favicon.ico", icon),
]
