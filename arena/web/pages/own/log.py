"""The private log of one's own seats in a match, as a text to download."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible, visible_lines
from arena.operations.readable import readable_seats
from arena.records import SeatLog
from arena.store.match_names import short_name
from arena.views.matches.match import Match, match_named
from arena.views.matches.played import seat_logs
from arena.web.rendering import NO_STORE
from arena.web.site import site_of
from arena.web.viewer import contestant_of


def download(request: Request) -> Response:
    """Returns the log. Raises ArenaError."""
    login = contestant_of(request)
    with site_of(request).store.reading() as session:
        match = match_named(session, request.path_params["match"])
        seats = readable_seats(session, match, login.caller)
        if not seats:
            raise ArenaError(
                Kind.FORBIDDEN,
                f"None of the bots of match {short_name(match.match)} belongs to"
                f" {login.caller.owner}, and what bots write is for their owners.",
            )
        logs = seat_logs(session, match.match)
    text = "\n".join(line for seat in seats for line in _lines(match, seat, logs[seat]))
    name = f"{short_name(match.match)}.log.txt"
    return PlainTextResponse(
        text + "\n",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": NO_STORE,
        },
    )


def _lines(match: Match, seat: int, log: SeatLog) -> Iterator[str]:
    """Yields the lines of a seat."""
    row = match.seats[seat]
    yield f"match {match.match}, seat {seat}: {visible(row.bot)} version {row.number}"
    ready = "never" if log.start_ms is None else f"after {log.start_ms} ms"
    yield f"it accepted the match: {ready}"
    if log.stale_answers:
        yield f"answers that came when none was expected: {log.stale_answers}"
    for fault in row.faults:
        where = f"decision {fault.decision}" if fault.decision else "the start"
        yield f"fault at {where}: {fault.kind}. {visible(fault.sentence)}"
    yield from _block("what it said at its fault", log.fault_words)
    if log.notes:
        yield "notes:"
        yield from (f"  decision {note.decision}: {visible(note.text)}" for note in log.notes)
    yield from _block("stderr, its end", log.stderr)
    yield ""


def _block(title: str, text: str) -> Iterator[str]:
    if text:
        yield f"{title}:"
        yield from (f"  {line}" for line in visible_lines(text.rstrip("\n")).split("\n"))


ROUTES = [Route("/own/matches/{match}/log", download)]
