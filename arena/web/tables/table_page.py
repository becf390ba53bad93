"""The page of a table: the cards, what is legal, and what has happened."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.web.rendering import environment, render
from arena.web.site import site_of
from arena.web.tables.attendance import Attendance
from arena.web.tables.card_table import CardTable, card_table
from arena.web.tables.seat_program import NotOwed
from arena.web.tables.table_form import sent_form
from arena.web.tables.table_view import (
    State,
    fault_sentence,
    names_of,
    view_of,
    waiting_sentence,
    won_or_lost,
)
from arena.web.tables.transcript import Transcript

NEXT_WITHIN_S = 2.0
"""The time for which a page waits for the bots' answers, in seconds, to save a reload."""
HEARTBEAT_S = 15.0
LOOK_EVERY_S = 2.0
"""The time after which the place of a match that has not begun is looked up again, in seconds."""
EVENTS = "text/event-stream"
OTHERS_BEGIN = "The match has begun, and others choose first."


async def show(request: Request) -> Response:
    """Returns the page of a table."""
    return await _page(request, "", HTTPStatus.OK)


async def answer(request: Request) -> Response:
    """Makes the choice of the form, and returns to the table."""
    form = await sent_form(request)
    seat = await _attendance(request).seat(_key(request))
    if seat is None:
        return _back(request)
    try:
        seat.answer(form.number("number"), form.number("action"))
    except NotOwed as mistake:
        return await _page(request, str(mistake), HTTPStatus.CONFLICT)
    if request.headers.get("accept") == EVENTS:  # the page follows the table anyway
        return Response(status_code=HTTPStatus.NO_CONTENT)
    await _next(seat.transcript)
    return _back(request)


async def leave(request: Request) -> Response:
    """Leaves the table for good."""
    seat = await _attendance(request).seat(_key(request))
    if seat is not None:
        seat.leave()
    return _back(request)


async def follow(request: Request) -> Response:
    """Returns the stream of the table's changes."""
    key = _key(request)
    seat = await _attendance(request).seat(key)
    if seat is None or _attendance(request).is_crowded(key):
        return Response(status_code=HTTPStatus.NO_CONTENT)  # which ends the stream for good
    table = await _table(request)
    known = request.headers.get("last-event-id", "")
    known_sequence = int(known) if known.isascii() and known.isdecimal() and len(known) < 9 else -1

    async def events() -> AsyncIterator[str]:
        sequence, waits = known_sequence, ""
        with _attendance(request).following(key):
            while not (seat.transcript.over and sequence == seat.transcript.sequence):
                has_begun = seat.transcript.match is not None
                within_s = HEARTBEAT_S if has_begun else LOOK_EVERY_S
                changed = await seat.transcript.changed_after(sequence, within_s)
                now = table if has_begun else await _table(request)
                if changed or (not has_begun and waits != waiting_sentence(now)):
                    sequence, waits = seat.transcript.sequence, waiting_sentence(now)
                    yield _event(request, now, seat.transcript)
                else:
                    yield ": the table waits\n\n"

    return StreamingResponse(events(), media_type=EVENTS)


def _event(request: Request, table: CardTable, transcript: Transcript) -> str:
    """Returns the table as an event: its sequence number, state and HTML."""
    context = _context(request.path_params["key"], table, transcript)
    view = context["view"]
    data = {
        "state": view.state,
        "number": view.number,
        "left_ms": view.left_ms,
        "waits": context["waits"],
        "html": environment().get_template("tables/board.html").render(**context),
    }
    return f"id: {view.sequence}\ndata: {json.dumps(data)}\n\n"


async def _page(request: Request, mistake: str, status: HTTPStatus) -> Response:
    """`mistake`: what was wrong with the visitor's last answer, a sentence."""
    key = _key(request)
    seat = await _attendance(request).seat(key)
    table = await _table(request)
    if seat is None or (seat.transcript.over and table.match is not None):
        return _final(request, table)
    if request.method == "GET":
        await _next(seat.transcript)
    context = _context(key, table, seat.transcript)
    return render(request, "tables/table.html", status, mistake=mistake, **context)


def _final(request: Request, table: CardTable) -> Response:
    """Returns the page of a table whose match is over."""
    match = table.match
    result = ""
    if match is not None:
        result = won_or_lost(
            table, [seat.score for seat in match.seats], [seat.rank for seat in match.seats]
        )
    return render(
        request,
        "tables/final.html",
        table=table,
        names=names_of(table),
        match=match,
        result=result,
        said=fault_sentence,
        another=_another(table),
    )


def _another(table: CardTable) -> list[tuple[str, str]]:
    """Returns the query for such a match again: the same game, seat and opponents."""
    others = [bot for seat, bot in enumerate(table.bots) if seat != table.seat]
    return [
        ("game", table.game.slug),
        ("seats", str(len(table.bots))),
        ("seat", str(table.seat)),
        *(("opponent", bot) for bot in others),
    ]


def _context(key: str, table: CardTable, transcript: Transcript) -> dict[str, Any]:
    return {
        "key": key,
        "table": table,
        "view": view_of(table, transcript),
        "waits": waiting_sentence(table) if transcript.match is None else OTHERS_BEGIN,
        "State": State,
    }


async def _next(transcript: Transcript) -> None:
    """Waits a moment for the next decision, unless one is owed."""
    sequence = transcript.sequence
    while transcript.owed is None and not transcript.over:
        if not await transcript.changed_after(sequence, NEXT_WITHIN_S):
            return
        sequence = transcript.sequence


async def _table(request: Request) -> CardTable:
    store, key = site_of(request).store, _key(request)

    def found() -> CardTable:
        with store.reading() as session:
            return card_table(session, key)

    return await run_in_threadpool(found)


def _attendance(request: Request) -> Attendance:
    attendance = request.app.state.attendance
    assert isinstance(attendance, Attendance)
    return attendance


def _key(request: Request) -> str:
    key: str = request.path_params["key"]
    return key


def _back(request: Request) -> Response:
    return RedirectResponse(f"/tables/{_key(request)}", HTTPStatus.SEE_OTHER)


ROUTES = [
    Route("/tables/{key}", show),
    Route("/tables/{key}/answer", answer, methods=["POST"]),
    Route("/tables/{key}/leave", leave, methods=["POST"]),
    Route("/tables/{key}/events", follow),
]
