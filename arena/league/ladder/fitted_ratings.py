"""A ladder's ratings fitted to all its rated jobs at once, and stored next to the running ones.

A fit reads every rated job, so it is not repeated after each. Once a ladder has a tenth more jobs
than the last fit has seen, it is fitted again: that way each job costs the same, however many
there are.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from functools import partial

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from arena.errors import ArenaError
from arena.league.ladder.rated_jobs import rated_results
from arena.ratings import JobResult, Skill, fit
from arena.store.queries import ladder_named, ladders, rated_jobs, revise_field
from arena.store.schema import Ladder, Rating
from arena.store.session import Store, with_room

log = logging.getLogger(__name__)

LOOK_EVERY_S = 60.0
GROWTH = 0.1
MOST_VERSIONS = 4000
"""A running arena fits no larger ladders: the fit needs some 30 bytes for each pair of versions,
and time that grows with their number cubed."""


def refit(session: Session, ladder: Ladder) -> None:
    """Fits a ladder's ratings to its rated jobs, and stores the fit."""
    _write(session, ladder, *_fitted(session, ladder))


class Fits:
    """Renews the fits of all ladders while an arena runs. A fit that fails stops nothing else."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._failed: set[str] = set()

    async def run(self) -> None:
        """Looks once a minute, until cancelled, which ladders have grown by a tenth."""
        while True:
            await self.renew(GROWTH)
            await asyncio.sleep(LOOK_EVERY_S)

    async def renew(self, growth: float = 0.0) -> None:
        """Fits the ratings of every ladder that has grown by more than this share since."""
        try:
            for name in await asyncio.to_thread(self._grown, growth):
                await self._renew(name)
        except OperationalError as error:
            log.warning("the store is busy (%s); ratings are fitted later", error.orig)

    def _grown(self, growth: float) -> list[str]:
        with self._store.reading() as session:
            return [
                ladder.name
                for ladder in ladders(session)
                if rated_jobs(session, ladder.name) > (1 + growth) * (ladder.fitted_jobs or 0)
                and ladder.name not in self._failed
                and _versions(session, ladder.name) <= MOST_VERSIONS
            ]

    async def _renew(self, name: str) -> None:
        try:
            await with_room(partial(self._fit, name))
        except OperationalError:
            raise
        except ArenaError as damage:
            self._failed.add(name)
            log.error("%s", damage)
        except Exception:  # too little memory, say
            self._failed.add(name)
            log.exception("the ratings of the ladder %s cannot be fitted", name)

    def _fit(self, name: str) -> None:
        """Reads and computes before it writes, so that the recorder does not wait for it."""
        with self._store.reading() as session:
            fitted = _fitted(session, ladder_named(session, name))
        with self._store.writing() as session:
            _write(session, ladder_named(session, name), *fitted)


def _versions(session: Session, ladder: str) -> int:
    counted = sa.select(sa.func.count()).where(Rating.ladder == ladder)
    return session.scalar(counted) or 0


def _fitted(session: Session, ladder: Ladder) -> tuple[int, dict[str, Skill]]:
    """Returns the number of the last rated job, and the skills by all of them."""
    last, results = 0, Counter[JobResult[str]]()
    for rated in rated_results(session, ladder.name):
        last = rated.sequence
        results[rated.result] += 1
    return last, fit(results, ladder.draw_probability)


def _write(session: Session, ladder: Ladder, last: int, skills: dict[str, Skill]) -> None:
    ladder.fitted_jobs = last or None
    revise_field(session)  # pairing goes by the fit
    for rating in session.scalars(sa.select(Rating).where(Rating.ladder == ladder.name)):
        skill = skills.get(rating.version)
        rating.fit_mu = None if skill is None else skill.mu
        rating.fit_sigma = None if skill is None else skill.sigma
