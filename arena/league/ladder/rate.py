"""A ladder's ratings in the store: updated after each job, and rebuilt from the matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import sqlalchemy as sa
from sqlalchemy.orm import Session, selectinload

from arena.league.ladder.fit import refit
from arena.league.ladder.ledger import Account, Ledger
from arena.ratings import Rater, Skill
from arena.store import (
    Entry,
    Ladder,
    Match,
    Rating,
    RatingChange,
    Store,
    WrongDataFolder,
    ladder_named,
    tables,
)


def rate_job(session: Session, ladder: Ladder, row: tables.Job, matches: Sequence[Match]) -> None:
    """Enters a job's matches into the ratings; a rated job receives its sequence number."""
    ratings = _ratings(session, ladder.name, {s.version for match in matches for s in match.seats})
    ledger = Ledger(Rater(ladder.draw_probability), _accounts(ratings))
    changed = ledger.enter(matches)
    _write(session, ladder.name, ratings, ledger)
    if changed:
        row.sequence = _next_sequence(session, ladder.name)
        session.add_all(_changes(ladder.name, row.sequence, changed))


def rebuild(store: Store, name: str) -> list[str]:
    """Rebuilds a ladder's ratings and their history from its matches alone, whatever was there,
    and fits them to all matches at once.

    Returns the versions whose figures or history changed; none should. Raises NotFound, and
    WrongDataFolder if the matches themselves are damaged.
    """
    with store.writing() as session:
        ladder = ladder_named(session, name)
        before = _all_figures(session, name)
        session.execute(sa.delete(RatingChange).where(RatingChange.ladder == name))
        ratings = _ratings(session, name)
        entered = session.scalars(sa.select(Entry.version).where(Entry.ladder == name))
        accounts = {version: Account() for version in {*ratings, *entered}}
        ledger = Ledger(Rater(ladder.draw_probability), accounts)
        for row, matches in _jobs(session, ladder):
            changed = _entered(ledger, ladder, matches)
            if changed and row.sequence is None:
                row.sequence = _next_sequence(session, name)
            if row.sequence is not None:
                session.add_all(_changes(name, row.sequence, changed))
        _write(session, name, ratings, ledger)
        session.flush()
        refit(session, ladder)
        after = _all_figures(session, name)
        return sorted(v for v in before.keys() | after.keys() if before.get(v) != after.get(v))


def _jobs(session: Session, ladder: Ladder) -> Iterator[tuple[tables.Job, list[Match]]]:
    """Yields every job and its matches in the order in which the jobs were rated; jobs without a
    number come last."""
    rows = session.execute(
        sa.select(tables.Job, Match)
        .outerjoin(tables.Job, tables.Job.id == Match.job)
        .where(Match.competition == ladder.name)
        .order_by(tables.Job.sequence.is_(None), tables.Job.sequence, Match.job, Match.number)
        .options(selectinload(Match.seats))
        .execution_options(yield_per=500)
    )
    for job, job_rows in groupby(rows, key=lambda row: row[0]):
        matches = [match for _, match in job_rows]
        if job is None:
            raise _damaged(ladder, matches[0], "has lost its job")
        yield job, matches


def _entered(ledger: Ledger, ladder: Ladder, matches: Sequence[Match]) -> dict[str, Skill]:
    """Enters a job's matches into the ledger. Raises WrongDataFolder."""
    for match in matches:
        if [seat.seat for seat in match.seats] != list(range(ladder.seats)):
            raise _damaged(ladder, match, "has lost seats")
    try:
        return ledger.enter(matches)
    except ValueError as error:
        raise _damaged(ladder, matches[0], f"cannot be rated ({error})") from None


def _damaged(ladder: Ladder, match: Match, how: str) -> WrongDataFolder:
    return WrongDataFolder(
        f"In the store, the match {match.id} {how}, so the ratings of the ladder {ladder.name}"
        " cannot be computed: put a backup of the data folder back."
    )


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


def _write(session: Session, ladder: str, ratings: Mapping[str, Rating], ledger: Ledger) -> None:
    """Writes the accounts into their rows; a row that is missing is added."""
    for version, account in ledger.accounts.items():
        rating = ratings.get(version) or Rating(ladder=ladder, version=version)
        rating.mu, rating.sigma = account.skill.mu, account.skill.sigma
        rating.matches, rating.faults = account.matches, account.faults
        session.add(rating)


def _all_figures(session: Session, ladder: str) -> dict[str, set[tuple[float, ...]]]:
    """Returns what the store says of each version: its rating's figures, and its history's."""
    rating = (Rating.version, Rating.mu, Rating.sigma, Rating.matches, Rating.faults)
    change = (RatingChange.version, RatingChange.sequence, RatingChange.mu, RatingChange.sigma)
    found: defaultdict[str, set[tuple[float, ...]]] = defaultdict(set)
    for query in (
        sa.select(*rating).where(Rating.ladder == ladder),
        sa.select(*change).where(RatingChange.ladder == ladder),
    ):
        for version, *figures in session.execute(query):
            found[version].add(tuple(figures))
    return found


def _changes(ladder: str, sequence: int, changed: Mapping[str, Skill]) -> Iterator[RatingChange]:
    for version, skill in changed.items():
        yield RatingChange(
            ladder=ladder, sequence=sequence, version=version, mu=skill.mu, sigma=skill.sigma
        )


def _next_sequence(session: Session, ladder: str) -> int:
    last = session.scalar(
        sa.select(sa.func.max(tables.Job.sequence)).where(tables.Job.competition == ladder)
    )
    return (last or 0) + 1
