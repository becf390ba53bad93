"""What is on TV: some of the latest matches, the most surprising first."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute, Session
from starlette.requests import Request

from arena.games import load
from arena.ratings import Skill
from arena.store.matches import MatchRow, find_matches, is_in_play
from arena.store.queries import ladders
from arena.store.schema import Job, Ladder, Match, MatchSeat, RatingChange, Record
from arena.store.session import Store
from arena.web.deal import course_of
from arena.web.tv.surprise import Before, Surprise, surprise_of
from arena.web.tv.swing import Swing, swing_of

LATEST = 500  # matches that are looked at
SHOWN = 40
NEW_EVERY_S = 10.0
REPLAYED = 2
"""Matches that are replayed for their swings whenever the programme is made, the newest first."""
STALE = 0.3  # of its surprise is lost by the oldest match


@dataclass(frozen=True)
class Item:
    """A match on the programme."""

    match: MatchRow
    caption: str

    @property
    def title(self) -> str:
        """The name of its game."""
        return load(self.match.game).title


class Programme:
    """The programme of a store, made anew every NEW_EVERY_S while anybody asks for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._items: Sequence[Item] = ()
        self._made_at = -NEW_EVERY_S
        self._swings: dict[str, Swing | None] = {}
        self._lock = threading.Lock()

    def items(self) -> Sequence[Item]:
        """Returns what is on, the most surprising first. No match is on it whose deal is still
        played."""
        with self._lock:
            if monotonic() > self._made_at + NEW_EVERY_S:
                with self._store.reading() as session:
                    self._items = self._made(session)
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

    def _made(self, session: Session) -> Sequence[Item]:
        latest = find_matches(session, limit=LATEST).matches
        kept = _with_record(session, latest)
        self._look_for_swings(session, [row for row in latest if row.match in kept])
        surprises = _surprises(session, latest, self._swings)
        oldest = max(1, len(latest))
        order = sorted(
            (place for place, row in enumerate(latest) if row.match in kept),
            key=lambda place: STALE * place / oldest - surprises[place].size,
        )
        items: list[Item] = []
        for place in order:
            if len(items) < SHOWN and not is_in_play(session, latest[place].match):
                items.append(Item(latest[place], surprises[place].caption))
        return items

    def _look_for_swings(self, session: Session, rows: Sequence[MatchRow]) -> None:
        """Replays a few of the matches that have not been; forgets those that are no more here."""
        known = self._swings
        self._swings = {row.match: known[row.match] for row in rows if row.match in known}
        for row in [row for row in rows if row.match not in known][:REPLAYED]:
            self._swings[row.match] = swing_of(row, course_of(session, row.match))


def programme_of(request: Request) -> Programme:
    """Returns the programme of the site that a request is for."""
    programme = request.app.state.programme
    assert isinstance(programme, Programme)
    return programme


def _with_record(session: Session, rows: Sequence[MatchRow]) -> set[str]:
    """Returns those whose records have not been pruned."""
    ids = [row.match for row in rows]
    return set(session.scalars(sa.select(Record.match).where(Record.match.in_(ids))))


def _surprises(
    session: Session, rows: Sequence[MatchRow], swings: Mapping[str, Swing | None]
) -> list[Surprise]:
    best_two: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        best = best_two[row.competition]
        best[:] = sorted([*best, _highest(row)], reverse=True)[:2]
    before = _before(session, rows)
    return [
        surprise_of(
            row,
            before.get(row.match),
            _best_of_others(row, best_two[row.competition]),
            swings.get(row.match),
        )
        for row in rows
    ]


def _best_of_others(row: MatchRow, best_two: Sequence[int]) -> int | None:
    others = list(best_two)
    if _highest(row) in others:
        others.remove(_highest(row))
    return max(others, default=None)


def _highest(row: MatchRow) -> int:
    return max(seat.score for seat in row.seats)


def _before(session: Session, rows: Sequence[MatchRow]) -> dict[str, Before]:
    """Returns what was known before each of these matches that is rated, by match."""
    draws = {ladder.name: ladder.draw_probability for ladder in ladders(session)}
    skills: dict[str, list[Skill]] = {}
    for match, mu, sigma in session.execute(_skills_before([row.match for row in rows])).all():
        skills.setdefault(match, []).append(Skill() if mu is None else Skill(mu, sigma))
    return {
        row.match: Before(skills[row.match], draws[row.competition])
        for row in rows
        if row.match in skills and row.competition in draws
    }


def _skills_before(matches: Sequence[str]) -> sa.Select[str, float, float]:
    """Selects the skill of each seat of ladders' rated matches before their job."""

    def last(column: InstrumentedAttribute[float]) -> sa.ScalarSelect[float]:
        earlier = sa.select(column).where(
            RatingChange.ladder == Job.competition,
            RatingChange.version == MatchSeat.version,
            RatingChange.sequence < Job.sequence,
        )
        newest = earlier.order_by(RatingChange.sequence.desc()).limit(1)
        return newest.correlate(Job, MatchSeat).scalar_subquery()

    return (
        sa.select(MatchSeat.match, last(RatingChange.mu), last(RatingChange.sigma))
        .join(Match, Match.id == MatchSeat.match)
        .join(Job, Job.id == Match.job)
        .join(Ladder, Ladder.name == Job.competition)
        .where(MatchSeat.match.in_(matches), Job.sequence.is_not(None))
        .order_by(MatchSeat.match, MatchSeat.seat)
    )
