"""A ladder's ratings in the store: updated after each job, and rebuilt from the matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, selectinload

from arena.errors import ArenaError, Kind
from arena.league.ladder.fitted_ratings import refit
from arena.league.ladder.ledger import Account, Ledger
from arena.ratings import Rater, Skill
from arena.store import schema
from arena.store.queries import counts, ladder_named, rated_jobs
from arena.store.schema import Entry, Ladder, Match, MatchSeat, Rating, RatingChange, table_of
from arena.store.session import Store, insert_rows

FIRST = 1
"""The number of the first rated job."""
JOBS, RATINGS = table_of(schema.Job), table_of(Rating)
READ_RATINGS = (
    sa.select(RATINGS)
    .where(RATINGS.c.ladder == sa.bindparam("ladder"))
    .where(RATINGS.c.version.in_(sa.bindparam("versions", expanding=True)))
    .order_by(RATINGS.c.version)
)
NEXT_SEQUENCE = sa.select(sa.func.coalesce(sa.func.max(JOBS.c.sequence), 0) + 1).where(
    JOBS.c.competition == sa.bindparam("ladder")
)
GIVE_SEQUENCE = (
    sa.update(JOBS)
    .where(JOBS.c.id == sa.bindparam("job_id"))
    .values(sequence=NEXT_SEQUENCE.correlate(None).scalar_subquery())
    .returning(JOBS.c.sequence)
)
CHANGE_RATING = (
    sa.update(RATINGS)
    .where(RATINGS.c.ladder == sa.bindparam("of_ladder"))
    .where(RATINGS.c.version == sa.bindparam("of_version"))
    .values({name: sa.bindparam(name) for name in ("mu", "sigma", "matches", "faults")})
)


def rate_job(session: Session, ladder: Ladder, job_id: str, matches: Sequence[Match]) -> None:
    """Enters a job's matches into the ratings, and says of each how surprising it was before; a
    rated job receives its sequence number."""
    versions = {seat.version for match in matches for seat in match.seats}
    connection = session.connection()
    found = connection.execute(READ_RATINGS, {"ladder": ladder.name, "versions": versions})
    ratings = {rating.version: rating for rating in found}
    ledger = Ledger(Rater(ladder.draw_probability), _accounts(ratings))
    for match in matches:
        match.surprise = ledger.surprise(match)
    changed = ledger.enter(matches)
    _write(session, ladder.name, ratings, ledger)
    if changed:
        sequence = connection.scalars(
            GIVE_SEQUENCE, {"ladder": ladder.name, "job_id": job_id}
        ).one()
        insert_rows(session, list(_changes(ladder.name, sequence, changed)))


def rebuild(store: Store, name: str) -> list[str]:
    """Rebuilds a ladder's ratings and their history from its matches alone, whatever was there,
    and fits them to all matches at once.

    Returns the versions whose figures or history changed; none should. Raises ArenaError if the
    matches themselves are damaged.
    """
    with store.writing() as session:
        before = _all_figures(session, name)
        rate_again(session, ladder_named(session, name))
        after = _all_figures(session, name)
        return sorted(v for v in before.keys() | after.keys() if before.get(v) != after.get(v))


def rate_again(session: Session, ladder: Ladder, since: int = FIRST) -> None:
    """Rates the jobs of a ladder again, from the one of this number on, and fits the ratings.
    Raises ArenaError."""
    name = ladder.name
    later = (RatingChange.ladder == name) & (RatingChange.sequence >= since)
    session.execute(sa.delete(RatingChange).where(later))
    ratings = _ratings(session, name)
    entered = session.scalars(sa.select(Entry.version).where(Entry.ladder == name))
    accounts = {version: Account() for version in {*ratings, *entered}}
    ledger = Ledger(Rater(ladder.draw_probability), accounts | _accounts_at(session, name, since))
    for row, matches in _jobs(session, ladder, since):
        changed = _entered(ledger, ladder, matches)
        if changed and row.sequence is None:
            row.sequence = rated_jobs(session, name) + 1
        if row.sequence is not None:
            session.add_all(_changes(name, row.sequence, changed))
    _write(session, name, ratings, ledger)
    session.flush()
    refit(session, ladder)


def _accounts_at(session: Session, ladder: str, since: int) -> dict[str, Account]:
    """Returns the accounts before the job of that number, of versions that had been in a rated
    one."""
    before = (RatingChange.ladder == ladder) & (RatingChange.sequence < since)
    last = sa.select(RatingChange.version, sa.func.max(RatingChange.sequence)).where(before)
    latest = sa.tuple_(RatingChange.version, RatingChange.sequence).in_(
        last.group_by(RatingChange.version)
    )
    skills = sa.select(RatingChange.version, RatingChange.mu, RatingChange.sigma)
    found = {
        version: Account(Skill(mu, sigma))
        for version, mu, sigma in session.execute(
            skills.where(RatingChange.ladder == ladder, latest)
        )
    }
    counted = (
        sa.select(
            MatchSeat.version,
            sa.func.count(MatchSeat.match.distinct()),
            sa.func.count(MatchSeat.fault_kind),
        )
        .join(Match, Match.id == MatchSeat.match)
        .join(schema.Job, schema.Job.id == Match.job)
        .where(schema.Job.competition == ladder, schema.Job.sequence < since, counts(Match.id))
        .group_by(MatchSeat.version)
    )
    for version, matches, faults in session.execute(counted):
        account = found.setdefault(version, Account())
        account.matches, account.faults = matches, faults
    return found


def _jobs(session: Session, ladder: Ladder, since: int) -> Iterator[tuple[schema.Job, list[Match]]]:
    """Yields every job that is not void with its matches, from the one of that number on, in the
    order in which the jobs were rated; all jobs without a number come last."""
    rows = session.execute(
        sa.select(schema.Job, Match)
        .outerjoin(schema.Job, schema.Job.id == Match.job)
        .where(
            Match.competition == ladder.name,
            counts(Match.id),
            schema.Job.sequence.is_(None) | (schema.Job.sequence >= since),
        )
        .order_by(schema.Job.sequence.is_(None), schema.Job.sequence, Match.job, Match.number)
        .options(selectinload(Match.seats))
        .execution_options(yield_per=500)
    )
    for job, job_rows in groupby(rows, key=lambda row: row[0]):
        matches = [match for _, match in job_rows]
        if job is None:
            raise _damaged(ladder, matches[0], "has lost its job")
        yield job, matches


def _entered(ledger: Ledger, ladder: Ladder, matches: Sequence[Match]) -> dict[str, Skill]:
    """Enters a job's matches into the ledger. Raises ArenaError."""
    for match in matches:
        if [seat.seat for seat in match.seats] != list(range(ladder.seats)):
            raise _damaged(ladder, match, "has lost seats")
    try:
        return ledger.enter(matches)
    except ValueError as error:
        raise _damaged(ladder, matches[0], f"cannot be rated ({error})") from None


def _damaged(ladder: Ladder, match: Match, how: str) -> ArenaError:
    return ArenaError(
        Kind.DAMAGED,
        f"In the store, the match {match.id} {how}, so the ratings of the ladder {ladder.name}"
        " cannot be computed: put a backup of the data folder back.",
        "data",
    )


def _ratings(session: Session, ladder: str) -> dict[str, sa.Row[Any]]:
    found = session.execute(sa.select(RATINGS).where(RATINGS.c.ladder == ladder))
    return {rating.version: rating for rating in found}


def _accounts(ratings: Mapping[str, sa.Row[Any]]) -> dict[str, Account]:
    return {
        version: Account(Skill(rating.mu, rating.sigma), rating.matches, rating.faults)
        for version, rating in ratings.items()
    }


def _write(
    session: Session, ladder: str, ratings: Mapping[str, sa.Row[Any]], ledger: Ledger
) -> None:
    """Writes the accounts into their rows; a row that is missing is added."""
    figures = {
        version: {
            "mu": account.skill.mu,
            "sigma": account.skill.sigma,
            "matches": account.matches,
            "faults": account.faults,
        }
        for version, account in ledger.accounts.items()
    }
    missing = figures.keys() - ratings.keys()
    if missing:
        rows = [{"ladder": ladder, "version": one, **figures[one]} for one in sorted(missing)]
        session.connection().execute(sa.insert(RATINGS), rows)
    if ratings:
        rows = [{"of_ladder": ladder, "of_version": one, **figures[one]} for one in ratings]
        session.connection().execute(CHANGE_RATING, rows)


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
