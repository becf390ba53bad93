"""Answers that take long to make, by keys that contain all that they depend on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.queries import job_counts
from arena.store.schema import (
    ComparisonGroup,
    Competition,
    TournamentEntrant,
    TournamentEvent,
    TournamentRound,
)

T = TypeVar("T")


class Cache(Generic[T]):
    """The answers for the latest keys. `most`: the number that is kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Returns the answer for a key, made now if it is not in the cache. The key must
        contain all that the answer depends on."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
        answer = make()
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return answer


def progress_of(session: Session, competition: Competition) -> tuple[object, ...]:
    """Returns values that change whenever anything changes that the page of a tournament or a
    comparison shows."""
    name = competition.name
    jobs = job_counts(session, name)
    withdrawn = sa.func.count(TournamentEntrant.withdrawn_round)
    checked_in = sa.func.sum(sa.case((TournamentEntrant.checked_in, 1), else_=0))
    entrants = sa.select(sa.func.count(), withdrawn, checked_in).where(
        TournamentEntrant.tournament == name
    )
    rounds = sa.select(sa.func.max(TournamentRound.number)).where(
        TournamentRound.tournament == name
    )
    events = sa.select(sa.func.count()).where(TournamentEvent.tournament == name)
    groups = sa.select(sa.func.count(), sa.func.count(ComparisonGroup.difference)).where(
        ComparisonGroup.comparison == name
    )
    return (
        *(name, competition.created_at, competition.state, *jobs.values()),
        *session.execute(entrants).one(),
        *(session.scalar(rounds), session.scalar(events), *session.execute(groups).one()),
    )
