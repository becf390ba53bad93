"""Declares matches void, and lets them count again.

What follows from matches is then computed again: ratings, sums, suspensions. The matches of a job
have the same deals and are rated together, so they are void together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import islice

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league.aggregates import count_again
from arena.league.ladder import check_quotas_again, rate_again
from arena.league.tournament import play_again
from arena.store.queries import rated_jobs
from arena.store.schema import (
    Competition,
    Job,
    Ladder,
    Match,
    MatchSeat,
    Tournament,
    Version,
    VoidMatch,
)

AT_ONCE = 1000
"""The most values in a statement."""


def void_jobs(session: Session, jobs: Collection[str], reason: str) -> Mapping[str, int]:
    """Declares all matches of recorded jobs void. `reason`: a sentence for everybody.

    Returns how many there are in each competition. Raises ArenaError.
    """
    found = _by_competition(session, jobs)
    for competition, own in found.items():
        if isinstance(competition, Tournament):
            play_again(session, competition, {match.job for match in own}, reason)
        elif not isinstance(competition, Ladder):
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"{competition.name} is a {competition.kind}; only matches of ladders and"
                " tournaments can be declared void.",
                "match",
            )
    session.add_all(
        VoidMatch(match=match.id, reason=reason) for own in found.values() for match in own
    )
    session.flush()
    _follow(session, found, fewer=True)
    return {competition.name: len(own) for competition, own in found.items()}


def unvoid_jobs(session: Session, jobs: Collection[str]) -> Mapping[str, int]:
    """Lets all matches of void jobs count again; returns the same. Raises ArenaError."""
    found = _by_competition(session, jobs)
    for competition in found:
        if isinstance(competition, Tournament):
            raise ArenaError(
                Kind.NOT_NOW,
                f"In the tournament {competition.name} the void matches are played again, so they"
                " stay void.",
                "match",
            )
    for own in found.values():
        for some in _batches([match.id for match in own]):
            session.execute(sa.delete(VoidMatch).where(VoidMatch.match.in_(some)))
    _follow(session, found, fewer=False)
    return {competition.name: len(own) for competition, own in found.items()}


def _by_competition(session: Session, jobs: Collection[str]) -> dict[Competition, list[Match]]:
    """Returns the matches of jobs."""
    matches = [
        match
        for some in _batches(sorted(jobs))
        for match in session.scalars(sa.select(Match).where(Match.job.in_(some)))
    ]
    found: defaultdict[str, list[Match]] = defaultdict(list)
    for match in matches:
        found[match.competition].append(match)
    return {session.get_one(Competition, name): own for name, own in sorted(found.items())}


def _follow(session: Session, found: Mapping[Competition, Sequence[Match]], *, fewer: bool) -> None:
    """Computes again what follows from matches that are void now, or count again."""
    for competition, own in found.items():
        count_again(session, competition.name)
        faults = Counter[str]()
        for some in _batches([match.id for match in own]):
            faulted = sa.select(MatchSeat.version).where(
                MatchSeat.match.in_(some), MatchSeat.fault_kind.is_not(None)
            )
            faults.update(session.scalars(faulted))
        for version, times in sorted(faults.items()):
            session.get_one(Version, version).faults += -times if fewer else times
        if isinstance(competition, Ladder):
            check_quotas_again(session, competition, sorted(faults), fewer=fewer)
            rate_again(session, competition, _first_number(session, own))


def _first_number(session: Session, matches: Sequence[Match]) -> int:
    """Returns the number of the first rated job of these matches, beyond all if none was rated."""
    numbers = [
        session.scalar(sa.select(sa.func.min(Job.sequence)).where(Job.id.in_(some)))
        for some in _batches([match.job for match in matches])
    ]
    beyond = rated_jobs(session, matches[0].competition) + 1
    return min((number for number in numbers if number), default=beyond)


def _batches(values: Sequence[str]) -> Sequence[Sequence[str]]:
    rest = iter(values)
    return list(iter(lambda: list(islice(rest, AT_ONCE)), []))
