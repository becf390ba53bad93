"""A ladder's ratings in the store: updated after each job, and rebuilt from the matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import sqlalchemy as sa
from sqlalchemy.orm import Session, selectinload

from arena.league.ledger import Account, Ledger
from arena.ratings import Rater, Skill
from arena.store import Ladder, Match, Rating, RatingChange, Store, ladder_named, tables


def rate_job(session: Session, ladder: Ladder, row: tables.Job, matches: Sequence[Match]) -> None:
    """Enters a job's matches into the ratings; a rated job receives its sequence number."""
    ratings = _ratings(session, ladder.name, {s.version for match in matches for s in match.seats})
    ledger = Ledger(Rater(ladder.draw_probability), _accounts(ratings))
    changed = ledger.enter(matches)
    for version, account in ledger.accounts.items():
        _write(ratings[version], account)
    if changed:
        row.sequence = _next_sequence(session, ladder.name)
        session.add_all(_changes(ladder.name, row.sequence, changed))


def rebuild(store: Store, name: str) -> list[str]:
    """Rebuilds the ratings of a ladder from its matches alone.

    Returns the versions whose figures changed; none should. Raises NotFound.
    """
    with store.writing() as session:
        ladder = ladder_named(session, name)
        ratings = _ratings(session, name)
        before = {version: _figures(rating) for version, rating in ratings.items()}
        session.execute(sa.delete(RatingChange).where(RatingChange.ladder == name))
        ledger = Ledger(Rater(ladder.draw_probability), {version: Account() for version in ratings})
        for sequence, matches in _jobs(session, name):
            changed = ledger.enter(matches)
            if sequence is not None:
                session.add_all(_changes(name, sequence, changed))
        for version, account in ledger.accounts.items():
            _write(ratings[version], account)
        return [
            version for version, rating in ratings.items() if _figures(rating) != before[version]
        ]


def _jobs(session: Session, ladder: str) -> Iterator[tuple[int | None, list[Match]]]:
    """Yields the matches of every job in the order in which the jobs were rated; unrated jobs come
    last."""
    rows = session.execute(
        sa.select(tables.Job.sequence, Match)
        .join(tables.Job, tables.Job.id == Match.job)
        .where(Match.ladder == ladder)
        .order_by(tables.Job.sequence.is_(None), tables.Job.sequence, Match.job, Match.number)
        .options(selectinload(Match.seats))
        .execution_options(yield_per=500)
    )
    for (sequence, _), job_rows in groupby(rows, key=lambda row: (row[0], row[1].job)):
        yield sequence, [match for _, match in job_rows]


def _ratings(session: Session, ladder: str, versions: set[str] | None = None) -> dict[str, Rating]:
    query = sa.select(Rating).where(Rating.ladder == ladder).order_by(Rating.version)
    if versions is not None:
        query = query.where(Rating.version.in_(versions))
    return {rating.version: rating for rating in session.scalars(query)}


def _accounts(ratings: Mapping[str, Rating]) -> dict[str, Account]:
    return {
        version: Account(Skill(rating.mu, rating.sigma), rating.matches, rating.faults)
        for version, rating in ratings.items()
    }


def _write(rating: Rating, account: Account) -> None:
    rating.mu, rating.sigma = account.skill.mu, account.skill.sigma
    rating.matches, rating.faults = account.matches, account.faults


def _figures(rating: Rating) -> tuple[float, float, int, int]:
    return rating.mu, rating.sigma, rating.matches, rating.faults


def _changes(ladder: str, sequence: int, changed: Mapping[str, Skill]) -> Iterator[RatingChange]:
    for version, skill in changed.items():
        yield RatingChange(
            ladder=ladder, sequence=sequence, version=version, mu=skill.mu, sigma=skill.sigma
        )


def _next_sequence(session: Session, ladder: str) -> int:
    last = session.scalar(
        sa.select(sa.func.max(tables.Job.sequence)).where(tables.Job.ladder == ladder)
    )
    return (last or 0) + 1
