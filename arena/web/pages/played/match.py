"""A match: its page, the document that the page draws, its record, and the page for frames of
other sites."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.operations.readable import readable_match, readable_seats
from arena.records import BadRecord, PrivateLog, check_seat, read
from arena.store.schema import Role
from arena.store.texts import LostText, record_text
from arena.views.matches.deal_group import group_of
from arena.views.matches.match import Match
from arena.views.matches.played import seat_logs
from arena.web.conditional import conditional, tag_of
from arena.web.http import failure_of, packed_answer, packed_json
from arena.web.pages.played.analyses import PART, analysis_context, part
from arena.web.pages.rewind_command import rewind_command
from arena.web.pages.stderr_ends import stderr_ends
from arena.web.rendering import render
from arena.web.replay import FORMAT, decision_of, place_of, replay_document, sentences_of
from arena.web.site import site_of
from arena.web.viewer import viewer_of

DOCUMENTS_KEPT = 64
"""Compressed, some tens of KB each."""


@dataclass(frozen=True)
class Moment:
    """The moment that the address of a match asks for.

    `seat`: None for the spectator.
    `at`: a decision of the match from 1, or None.
    `own`: instead of that, a decision by the seat's own count from 1.
    """

    seat: int | None
    at: int | None
    own: int | None


def page(request: Request) -> Response:
    """Returns the page of a match, or its part about the analysis."""
    if request.query_params.get("part") == PART:
        return part(request)
    return _shown(request, "match/page.html")


def embedded(request: Request) -> Response:
    """Returns the page of a match for a frame of another site."""
    return _shown(request, "match/embed.html")


def replay_json(request: Request) -> Response:
    """Returns the document of a match in one view. It never changes, as records do not."""
    with site_of(request).store.reading() as session:
        row = readable_match(session, request.path_params["match"], viewer_of(request))
        moment = moment_of(request, row)

        def document() -> Response:
            return packed_answer(request, _packed(request, session, row, moment.seat))

        return conditional(request, tag_of(row.digest, moment.seat, FORMAT), document)


def record_json(request: Request) -> Response:
    """Returns the record of a match, to be saved."""
    with site_of(request).store.reading() as session:
        row = readable_match(session, request.path_params["match"])

        def record() -> Response:
            return Response(
                record_text(session, row.match),
                media_type="application/json",
                headers={"Content-Disposition": f'attachment; filename="{row.match}.json"'},
            )

        return conditional(request, tag_of(row.digest), record)


def _shown(request: Request, template: str) -> Response:
    with site_of(request).store.reading() as session:
        row = readable_match(session, request.path_params["match"], viewer_of(request))
        moment = moment_of(request, row)
        played = len(group_of(session, row.match).matches)
        own = _own_seats(request, session, row)
        stderr = stderr_ends(session, row.match, own) if own else {}
        try:
            analysis = analysis_context(request, session, row)
            text = record_text(session, row.match)
            packed = _packed(request, session, row, moment.seat)
            document = json.loads(gzip.decompress(packed))
        except (LostText, BadRecord) as lost:
            failure = failure_of(lost)
            return render(
                request,
                "match/lost.html",
                failure.kind.http,
                row=row,
                sentence=failure.sentence,
            )
    if moment.seat is not None and moment.own is not None:
        at = decision_of(document, moment.seat, moment.own)
        return RedirectResponse(f"{request.url.path}?seat={moment.seat}&at={at}")
    place = _place(document, moment)
    frames = document["frames"]
    return render(
        request,
        template,
        **analysis,
        shared=played if played > 1 else 0,
        document=document,
        moment=moment,
        shown=sentences_of(read(text), document, place),
        before=_decision(document, place - 1) if place else None,
        after=_decision(document, place + 1) if place + 1 < len(frames) else None,
        query=f"?seat={moment.seat}" if moment.seat is not None else "",
        rewinds=_rewinds(row, own, frames, moment),
        stderr=stderr,
        lost=_lost(request, row, own),
    )


def _rewinds(
    row: Match, own: Sequence[int], frames: Sequence[dict[str, Any]], moment: Moment
) -> dict[int, str]:
    """Returns, for each of these seats, the command that asks its bot again: at the moment if it
    decides there, else at its fault, if it has one."""
    asked = [
        frame for frame in frames[:-1] if frame.get("chosen_by") == "bot" or frame.get("fault")
    ]
    commands = {}
    for seat in own:
        of_seat = [frame for frame in asked if frame["seat"] == seat]
        here = [frame for frame in of_seat if frame["decision"] == moment.at]
        wanted = here or [frame for frame in of_seat if frame["fault"]]
        at = wanted[0]["decision"] if wanted else None
        commands[seat] = rewind_command(row.match, seat, at)
    return commands


def _lost(request: Request, row: Match, own: Sequence[int]) -> list[str]:
    """Returns the visitor's bots that others beat; organisers have none here."""
    viewer = viewer_of(request)
    if viewer is None or viewer.role is Role.ORGANISER:
        return []
    return [row.seats[seat].bot for seat in own if row.seats[seat].rank > 1]


def moment_of(request: Request, row: Match) -> Moment:
    """Returns the moment that an address asks for. Raises ArenaError if there is no such seat,
    or no such number."""
    seat, at, own = (_number(request, name) for name in ("seat", "at", "own"))
    check_seat(seat, len(row.seats), Kind.NOT_FOUND)
    return Moment(seat, at, own)


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ArenaError(Kind.NOT_FOUND, f"In the address, {name} must be a number such as 1.")
    return int(text)


def _place(document: dict[str, Any], moment: Moment) -> int:
    """Returns the place of the frame that is asked for. Raises ArenaError if the match has no such
    decision."""
    place = 0 if moment.at is None else place_of(document, moment.at)
    if place is None:
        last = document["decisions"]
        raise ArenaError(
            Kind.NOT_FOUND,
            f"The match has decisions 1 to {last}, and its end is {last + 1}; there is no decision"
            f" {moment.at}.",
        )
    return place


def _decision(document: dict[str, Any], place: int) -> int:
    decision: int = document["frames"][place].get("decision", document["decisions"] + 1)
    return decision


def _own_seats(request: Request, session: Session, row: Match) -> list[int]:
    """Returns the seats whose bots are the visitor's."""
    viewer = viewer_of(request)
    return readable_seats(session, row, viewer) if viewer is not None else []


def _packed(request: Request, session: Session, row: Match, seat: int | None) -> bytes:
    """Returns the document of a match as JSON, compressed, with the notes of the bots whose owner
    asks. Raises ArenaError and BadRecord."""
    text = record_text(session, row.match)
    own = _own_seats(request, session, row)
    if not own:
        return _public_document(text, seat)
    try:
        private = PrivateLog(match_id=row.match, seats=seat_logs(session, row.match))
    except LostText:  # pruned or damaged; the record may still be there
        return _public_document(text, seat)
    return packed_json(replay_document(read(text), seat=seat, private=private, owned_seats=own))


@lru_cache(DOCUMENTS_KEPT)
def _public_document(text: str, seat: int | None) -> bytes:
    return packed_json(replay_document(read(text), seat=seat))


ROUTES = [
    Route("/matches/{match}", page),
    Route("/matches/{match}/replay.json", replay_json),
    Route("/matches/{match}/record.json", record_json),
    Route("/embed/{match}", embedded),
]
