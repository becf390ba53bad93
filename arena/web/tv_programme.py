"""TV: some of the latest matches one after another, the most surprising first."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

import sqlalchemy as sa
from sqlalchemy.orm import Session
from starlette.requests import Request

from arena.foreign_text import visible
from arena.operations.readable import hidden_matches
from arena.store import schema
from arena.store.queries import counts
from arena.store.schema import Record
from arena.store.session import Store
from arena.views.matches.match import Match
from arena.views.matches.match_list import matches_with
from sevens_games import load

LATEST = 500  # matches that are looked at
SHOWN = 40
NEW_EVERY_S = 10.0
STALE = 0.3  # of its surprise is lost by the oldest match
UPSET_FROM = 0.65
"""A win of a smaller surprise is no upset."""
LEAST_CHANCE = 0.01
"""Ratings are too uncertain for smaller ones."""


@dataclass(frozen=True)
class Item:
    """A match on the programme. `surprise`: from 0 to 1, how improbable its result was."""

    match: Match
    surprise: float

    @property
    def title(self) -> str:
        """The name of its game."""
        return load(self.match.game).title

    @property
    def outcome(self) -> str:
        """The sentence about a surprising end; empty if it was none."""
        if self.surprise <= UPSET_FROM:
            return ""
        winners = dict.fromkeys(visible(seat.bot) for seat in self.match.seats if seat.rank == 1)
        sides = len({seat.team for seat in self.match.seats})
        rival = "" if sides == 2 else " against one of the others"
        chance = max(1 - self.surprise, LEAST_CHANCE)
        at_most = "at most " if chance == LEAST_CHANCE else ""
        return f"Upset: {' and '.join(winners)} won with a chance of {at_most}{chance:.0%}{rival}."


class Programme:
    """The programme of a store, made again every NEW_EVERY_S while there are requests."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._items: Sequence[Item] = ()
        self._made_at = -NEW_EVERY_S
        self._lock = threading.Lock()

    def items(self) -> Sequence[Item]:
        """Returns what is on, the most surprising first. Matches without a record, or whose deals
        are still played, are left out."""
        with self._lock:
            if monotonic() > self._made_at + NEW_EVERY_S:
                with self._store.reading() as session:
                    self._items = _programme(session)
                self._made_at = monotonic()
            return self._items

    def after(self, match: str) -> Item | None:
        """Returns what follows a match, the first one if that is not on; None if nothing is."""
        items = self.items()
        if not items:
            return None
        ids = [item.match.match for item in items]
        place = ids.index(match) + 1 if match in ids else 0
        return items[place % len(items)]


def _programme(session: Session) -> Sequence[Item]:
    latest = session.execute(
        sa.select(schema.Match.id, schema.Match.surprise)
        .join(Record)
        .where(counts(schema.Match.id))
        .order_by(schema.Match.finished_at.desc(), schema.Match.id.desc())
        .limit(LATEST)
    ).all()
    hidden = hidden_matches(session, [match for match, _ in latest])
    oldest = max(1, len(latest))
    ranked = sorted(
        (STALE * place / oldest - surprise, place, match, surprise)
        for place, (match, surprise) in enumerate(latest)
        if match not in hidden
    )[:SHOWN]
    matches = matches_with(session, [match for _, _, match, _ in ranked])
    return [Item(match, one[-1]) for match, one in zip(matches, ranked, strict=True)]


def programme_of(request: Request) -> Programme:
    """Returns the programme of the site that a request is for."""
    programme = request.app.state.programme
    assert isinstance(programme, Programme)
    return programme
