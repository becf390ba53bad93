"""The search: everything that has a page, by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.nearest import nearest
from arena.store.match_names import short_name
from arena.store.schema import Bot, Competition, table_of
from arena.views.search import Found, search
from arena.web.rendering import render
from arena.web.site import site_of
from sevens_games import load, slugs

LONGEST = 200  # characters; no name or id is longer
MOST = 25  # of each kind


@dataclass(frozen=True)
class Finding:
    """Something that has a page.

    `kind`: a noun, such as bot.
    `name`: by which it was looked for.
    `about`: what is known of it, in some words.
    """

    kind: str
    name: str
    address: str
    about: str = ""


def show(request: Request) -> Response:
    """Returns the page with what was found; first what is called exactly so."""
    wanted = request.query_params.get("q", "").strip()[:LONGEST]
    with site_of(request).store.reading() as session:
        found = [*_findings(search(session, wanted, MOST), wanted)]
        found.sort(key=lambda one: one.name.casefold() != wanted.casefold())
        similar = [] if found or not wanted else _similar_names(session, wanted)
    return render(request, "search.html", wanted=wanted, found=found, similar=similar)


def _findings(found: Found, wanted: str) -> Iterator[Finding]:
    for bot, owner in found.bots:
        yield Finding("bot", bot, f"/bots/{_quoted(bot)}", f"of {owner}")
    for owner in found.owners:
        yield Finding("owner", owner, f"/owners/{_quoted(owner)}")
    for one in found.competitions:
        address = f"/{one.kind}s/{_quoted(one.name)}"
        yield Finding(one.kind, one.name, address, load(one.game).title)
    for slug in found.games:
        yield Finding("game", load(slug).title, f"/games/{slug}", load(slug).summary)
    for match in found.matches:
        name = match if match == wanted else short_name(match)
        yield Finding("match", name, f"/matches/{_quoted(match)}")


def _quoted(name: str) -> str:
    return quote(name, safe="")


def _similar_names(session: Session, wanted: str) -> Sequence[str]:
    """Returns names of games, competitions and bots that resemble the text."""
    competitions = session.scalars(sa.select(table_of(Competition).c.name))
    return nearest(wanted, [*slugs(), *competitions, *session.scalars(sa.select(Bot.name))])


ROUTES = [Route("/search", show)]
