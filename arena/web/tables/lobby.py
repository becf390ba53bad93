"""The pages on which a visitor chooses what to play, and sits down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.client.http_arena import connected
from arena.errors import ArenaError, Kind
from arena.league import playing_bots
from arena.operations.competitions import seats as operations
from arena.operations.readable import readable_match
from arena.records import BadRecord, game_of, read
from arena.store.schema import Version
from arena.store.texts import record_text
from arena.views.table import Seated
from arena.web.rendering import render
from arena.web.site import Site, site_of
from arena.web.tables.guests import NO_GUESTS, Sitter, may_sit, sitter_of
from arena.web.tables.own_tables import own_tables, remember
from arena.web.tables.table_form import Form, parsed_form, sent_form
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load, slugs

OPTION = "option-"
CLOSED = "The arena is not running at the moment, so that nobody can play: come back later."


@dataclass(frozen=True)
class Pace:
    """A clock that a visitor may choose, in milliseconds."""

    title: str
    bank_ms: int
    increment_ms: int


PACES = {
    "unhurried": Pace("15 min, and 1 min a decision", 900_000, 60_000),
    "brisk": Pace("2 min, and 10 s a decision", 120_000, 10_000),
    "long": Pace("1 hour, and 5 min a decision", 3_600_000, 300_000),
}


def lobby(request: Request) -> Response:
    """Returns the page that offers all games, one game, or a recorded match."""
    form = parsed_form(request.url.query)
    with site_of(request).store.reading() as session:
        if match := form.text("match"):
            return _offer_match(request, session, match, form)
        if slug := form.text("game"):
            return _offer_game(request, session, slug, form)
        there = playing_bots(session, *slugs())
        games = [(load(slug), len(_names(versions))) for slug, versions in there.items()]
        return render(
            request,
            "tables/games.html",
            games=games,
            own=own_tables(session, request),
            obstacle=_obstacle(request),
        )


async def sit_down(request: Request) -> Response:
    """Seats the visitor as the form says, and leads to the table."""
    form = await sent_form(request)
    seated = await run_in_threadpool(_seated, site_of(request), sitter_of(request), form)
    await request.app.state.attendance.seat(seated.key)  # dials in before the match begins
    response = RedirectResponse(f"/tables/{seated.key}", HTTPStatus.SEE_OTHER)
    remember(request, response, seated.key)
    return response


def _offer_game(request: Request, session: Session, slug: str, form: Form) -> Response:
    game = load(slug)
    fit = [count for count in game.players if len(set(game.teams(count))) >= 2]
    seats = form.number("seats", game.ladder_players)
    if seats not in fit:
        counts = ", ".join(map(str, fit))
        raise ArenaError(
            Kind.WRONG_INPUT, f"{game.title} has {counts} seats, not {seats}: choose those."
        )
    named = form.texts("opponent")[: seats - 1]
    return render(
        request,
        "tables/game.html",
        chosen_seat=form.number("seat"),
        chosen=[*named, *[""] * (seats - 1 - len(named))],
        game=game,
        fit=fit,
        seats=seats,
        teams=game.teams(seats),
        bots=_names(playing_bots(session, slug)[slug]),
        paces=PACES,
        obstacle=_obstacle(request),
    )


def _offer_match(request: Request, session: Session, match: str, form: Form) -> Response:
    row = readable_match(session, match)
    record = _record(session, row.match)
    seat, at = form.number("seat"), form.number("at", 1)
    if seat >= len(row.seats) or not 1 <= at <= len(record.choices):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The match has {len(row.seats)} seats, counted from 0, and {len(record.choices)}"
            " decisions, counted from 1: sit down at one of them.",
        )
    return render(
        request,
        "tables/match.html",
        match=row,
        game=load(row.game),
        seat=seat,
        at=at,
        of=len(record.choices),
        paces=PACES,
        obstacle=_obstacle(request),
    )


def _record(session: Session, match: str) -> MatchRecord:
    """Returns the record of a match that can be played again. Raises ArenaError."""
    try:
        record = read(record_text(session, match))
        game_of(record)
    except BadRecord as bad:
        raise ArenaError(
            Kind.UNUSABLE, f"This match cannot be played again: {bad.sentence}"
        ) from None
    return record


def _seated(site: Site, sitter: Sitter, form: Form) -> Seated:
    """Asks the running arena for the seat of a form. Raises ArenaError."""
    door = site.folder.door()
    if not door:
        raise ArenaError(Kind.UNREACHABLE, CLOSED)
    pace = PACES.get(form.text("pace"), PACES["unhurried"])
    match = form.text("match")
    with connected(door) as arena:
        return arena.ask(
            operations.sit_down,
            seat=form.number("seat"),
            bank_ms=pace.bank_ms,
            increment_ms=pace.increment_ms,
            person=sitter.person,
            address=sitter.address,
            **(_repeated(match, form) if match else _new(form)),
        )


def _repeated(match: str, form: Form) -> dict[str, Any]:
    return {"match": match, "choices": max(0, form.number("at", 1) - 1)}


def _new(form: Form) -> dict[str, Any]:
    return {
        "game": form.text("game"),
        "seats": form.number("seats"),
        "opponents": tuple(form.texts("opponent")),
        "options": {
            name.removeprefix(OPTION): form.text(name)
            for name in form.names()
            if name.startswith(OPTION)
        },
    }


def _names(versions: Sequence[Version]) -> list[str]:
    return list(dict.fromkeys(version.bot for version in versions))


def _obstacle(request: Request) -> str:
    """Returns why the visitor cannot sit down, a sentence; empty if nothing is in the way."""
    if not may_sit(request):
        return NO_GUESTS
    if not site_of(request).folder.door():
        return CLOSED
    return ""


ROUTES = [Route("/play", lobby), Route("/play", sit_down, methods=["POST"])]
