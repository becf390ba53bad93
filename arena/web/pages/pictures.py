"""Pictures of games, matches, ladders, tournaments and bots: as SVG for pages, and as PNG with a
title for previews of links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.operations.readable import readable_match
from arena.records import read
from arena.store.queries import ladder_named, tournament_named
from arena.store.texts import record_text
from arena.views.bot import bot_card
from arena.views.ladders.standing import standings
from arena.views.matches.sides import sides_of
from arena.web.competitions import Cache
from arena.web.conditional import conditional, tag_of
from arena.web.formats import decimal, number
from arena.web.pages.competitions import document_of
from arena.web.pages.played import Moment, moment_of
from arena.web.pictures import (
    Line,
    Piece,
    felt_of,
    list_preview,
    played_scene,
    png_of,
    recorded_scene,
    table_piece,
    table_preview,
    table_svg,
)
from arena.web.site import site_of
from sevens_games import load

LISTED = 5
KINDS = {"svg": "image/svg+xml", "png": "image/png"}
OF_THE_ARENA = "seven-euchre"
"""The game whose table stands for all."""
TABLES: Cache[Piece] = Cache(64)


def arena(request: Request) -> Response:
    """Returns the preview of all pages that have none of their own."""
    subtitle = "Bots play card games, are rated, and can be watched decision by decision"
    drawing = table_preview(_played(OF_THE_ARENA), "Sevens Arena", subtitle)
    return conditional(request, tag_of("arena"), lambda: _png(drawing))


def game(request: Request) -> Response:
    """Returns a table of a game in play."""
    slug = request.path_params["game"]
    rules = load(slug)

    def preview() -> str:
        return table_preview(_played(slug), rules.title, rules.summary, felt_of(slug))

    return _table(request, slug, (slug, rules.rules_version), lambda: _played(slug), preview)


def match(request: Request) -> Response:
    """Returns a moment of a match: that of the address, or one before its end."""
    site = site_of(request)
    with site.store.reading() as session:
        row = readable_match(session, request.path_params["match"])
        moment = moment_of(request, row)

        def table() -> Piece:
            key = (str(site.folder.path), row.digest, moment)
            return TABLES.get(key, lambda: _recorded(session, row.match, moment))

        def preview() -> str:
            sides = (" and ".join(map(visible, side.bots)) for side in sides_of(row.seats))
            of = "a person's table" if row.competition_kind == "table" else visible(row.competition)
            at = "" if moment.at is None else f", decision {moment.at}"
            subtitle = f"{load(row.game).title}, {of}{at}"
            return table_preview(
                table(), " against ".join(sorted(sides)), subtitle, felt_of(row.game)
            )

        return _table(request, row.game, (row.digest, moment), table, preview)


def ladder(request: Request) -> Response:
    """Returns the best of a ladder."""
    with site_of(request).store.reading() as session:
        row = ladder_named(session, request.path_params["name"])
        best = [one for one in standings(session, row.name, limit=LISTED) if one.place]
        lines = [Line(f"{one.place}.", visible(one.bot), decimal(one.rating)) for one in best]
        return _list(request, lines, row.name, f"Ladder in {load(row.game).title}")


def tournament(request: Request) -> Response:
    """Returns the first of a tournament."""
    with site_of(request).store.reading() as session:
        row = tournament_named(session, request.path_params["name"])
        found = document_of(request, session, row)
    lines = [
        Line(f"{one.place}.", visible(one.bot), f"{one.points:g} points")
        for one in found.standings[:LISTED]
    ]
    subtitle = f"Tournament in {load(found.game).title}, {found.plays}, {found.state}"
    return _list(request, lines, found.tournament, subtitle)


def bot(request: Request) -> Response:
    """Returns a bot's places on its ladders."""
    with site_of(request).store.reading() as session:
        card = bot_card(session, request.path_params["bot"])
    places = [(place.place or 0, place) for one in card.versions for place in one.ladders]
    lines = [
        Line(f"{place}.", f"of {number(one.of)} on {visible(one.ladder)}", decimal(one.rating))
        for place, one in sorted(places, key=lambda found: found[0])
        if place
    ]
    whose = f"{'A person' if card.person else 'A bot'} of {visible(card.owner)}"
    return _list(request, lines, card.bot, whose)


def _recorded(session: Session, name: str, moment: Moment) -> Piece:
    """Raises ArenaError and BadRecord."""
    return table_piece(recorded_scene(read(record_text(session, name)), moment.at, moment.seat))


@lru_cache(64)
def _played(slug: str) -> Piece:
    return table_piece(played_scene(load(slug)))


def _table(
    request: Request, game: str, key: object, table: Callable[[], Piece], preview: Callable[[], str]
) -> Response:
    """Returns a table of a game: as .svg by itself, as .png with a title."""
    kind = request.path_params["kind"]
    if kind not in KINDS:
        raise ArenaError(
            Kind.NOT_FOUND, f"Pictures are {' and '.join(KINDS)}, and not {kind[:50]!r}."
        )

    def make() -> Response:
        if kind == "svg":
            return Response(table_svg(table(), felt_of(game)), media_type=KINDS[kind])
        return _png(preview())

    return conditional(request, tag_of(kind, key), make)


def _list(request: Request, lines: Sequence[Line], title: str, subtitle: str) -> Response:
    drawing = list_preview(lines, visible(title), subtitle)
    return conditional(request, tag_of(drawing), lambda: _png(drawing))


def _png(drawing: str) -> Response:
    return Response(png_of(drawing), media_type=KINDS["png"])


ROUTES = [
    Route("/pictures/arena.png", arena),
    Route("/pictures/games/{game}.{kind}", game),
    Route("/pictures/matches/{match}.{kind}", match),
    Route("/pictures/ladders/{name}.png", ladder),
    Route("/pictures/tournaments/{name}.png", tournament),
    Route("/pictures/bots/{bot}.png", bot),
]
