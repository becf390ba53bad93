"""Compares a repeated match with the one that it repeats, choice by choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.operations.readable import readable_match
from arena.records import BadRecord, read
from arena.records.wording import Wording
from arena.store.texts import record_text
from arena.web.rendering import render
from arena.web.site import site_of
from arena.web.tables.table_form import parsed_form
from sevens.record.v1.match_record_pb2 import Choice, MatchRecord
from sevens_games import load


@dataclass(frozen=True)
class ChoicePair:
    """The choices at one place of both matches, as sentences; empty where a match was over.

    `own`: True for a choice of the seat that changed hands.
    `differs`: True if the two are different.
    """

    place: int
    before: str
    after: str
    own: bool
    differs: bool


def show(request: Request) -> Response:
    """Returns the page that compares a repeated match with its origin."""
    match = parsed_form(request.url.query).text("match")
    with site_of(request).store.reading() as session:
        row = readable_match(session, match)
        after = _record(session, row.match)
        if not after.HasField("origin"):
            raise ArenaError(
                Kind.NOT_NOW,
                "This match repeats no other. Play one again, and then compare the two.",
            )
        before_row = readable_match(session, after.origin.match)
        before = _record(session, before_row.match)
        seats = changed_seats(before, after)
        pairs = paired(before, after, seats)
        return render(
            request,
            "tables/compare.html",
            game=load(after.game),
            before=before_row,
            after=row,
            seats=seats,
            pairs=pairs,
            first=next((pair for pair in pairs if pair.differs), None),
        )


def changed_seats(before: MatchRecord, after: MatchRecord) -> Sequence[int]:
    """Returns the seats that changed hands in the second match."""
    return [
        seat
        for seat, (then, now) in enumerate(zip(before.seats, after.seats, strict=True))
        if then.version != now.version
    ]


def paired(before: MatchRecord, after: MatchRecord, own: Sequence[int]) -> list[ChoicePair]:
    """Returns the choices of both matches side by side. `own`: the seats that changed hands."""
    layout = load(after.game).layout
    then, now = Wording(layout, before.seats), Wording(layout, after.seats)
    return [
        ChoicePair(
            place=place,
            before=_words(then, one),
            after=_words(now, other),
            own=(other or one).seat in own,
            differs=one is None
            or other is None
            or (one.seat, one.action) != (other.seat, other.action),
        )
        for place, (one, other) in enumerate(zip_longest(before.choices, after.choices), 1)
    ]


def _words(wording: Wording, choice: Choice | None) -> str:
    return "" if choice is None else wording.action(choice.seat, choice.action)


def _record(session: Session, match: str) -> MatchRecord:
    """Returns a match's record. Raises ArenaError."""
    try:
        return read(record_text(session, match))
    except BadRecord as bad:
        raise ArenaError(Kind.UNUSABLE, bad.sentence) from None


ROUTES = [Route("/play/compare", show)]
