"""Groups of matches that play the same deals.

A contestant who sees a deal could pass its cards on to a bot that has yet to play it. So nothing of
a match is shown before the last one of its group is over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store import schema
from arena.store.queries import ENDED
from arena.store.schema import (
    Comparison,
    ComparisonJob,
    Job,
    JobState,
    Tournament,
    TournamentGroup,
    TournamentRound,
    table_of,
)
from arena.views.matches.match import Match, match_named, matches_of_jobs
from arena.views.view import View

TOURNAMENT_GROUPS = table_of(TournamentGroup)


class GroupKind(StrEnum):
    """The kind of a deal group: the matches of a job, of a comparison's group, or of a round of a
    tournament in which all tables play the same deals."""

    JOB = "job"
    COMPARISON = "comparison"
    ROUND = "round"


class DealGroup(View):
    """The matches that play the same deals, in the order of their jobs and seatings.

    `number`: of the comparison's group, or of the tournament's round; 0 for a job.
    `complete`: none of them is still to be played.
    """

    kind: GroupKind
    competition: str
    number: int
    jobs: tuple[str, ...]
    matches: tuple[Match, ...]
    complete: bool


@dataclass(frozen=True)
class _Group:
    kind: GroupKind
    number: int
    jobs: tuple[str, ...]
    complete: bool


def group_of(session: Session, match_id: str) -> DealGroup:
    """Returns the group of a match, given by its id or the beginning of it. Raises ArenaError."""
    match = match_named(session, match_id)
    group = _groups(session, [match.job])[match.job]
    played = matches_of_jobs(session, group.jobs)
    return DealGroup(
        kind=group.kind,
        competition=match.competition,
        number=group.number,
        jobs=group.jobs,
        matches=tuple(one for job in group.jobs for one in played[job]),
        complete=group.complete,
    )


def is_in_play(session: Session, match_id: str) -> bool:
    """Returns whether the deals of a match, given by its whole id, are still to be played."""
    return match_id in in_play(session, [match_id])


def in_play(session: Session, match_ids: Collection[str]) -> frozenset[str]:
    """Returns those of the matches whose deals are still to be played."""
    rows = session.execute(
        sa.select(schema.Match.id, schema.Match.job).where(schema.Match.id.in_(match_ids))
    ).all()
    groups = _groups(session, {job for _, job in rows})
    return frozenset(found for found, job in rows if not groups[job].complete)


def _groups(session: Session, jobs: Collection[str]) -> Mapping[str, _Group]:
    """Returns the group of each job. The matches of one are recorded together, so a job by itself
    is complete."""
    groups = {job: _Group(GroupKind.JOB, 0, (job,), True) for job in jobs}
    return groups | _comparison_groups(session, jobs) | _round_groups(session, jobs)


def _comparison_groups(session: Session, jobs: Collection[str]) -> dict[str, _Group]:
    own = sa.select(ComparisonJob.comparison, ComparisonJob.number).where(
        ComparisonJob.job.in_(jobs)
    )
    rows = session.execute(
        sa.select(ComparisonJob, Job.state)
        .join(Job, Job.id == ComparisonJob.job)
        .where(sa.tuple_(ComparisonJob.comparison, ComparisonJob.number).in_(own))
        .order_by(ComparisonJob.comparison, ComparisonJob.number, ComparisonJob.half)
    ).all()
    halves: defaultdict[tuple[str, int], list[Any]] = defaultdict(list)
    for row in rows:
        halves[row[0].comparison, row[0].number].append(row)
    names = {comparison for comparison, _ in halves}
    found = {
        one.name: one
        for one in session.scalars(sa.select(Comparison).where(Comparison.name.in_(names)))
    }
    groups: dict[str, _Group] = {}
    for (name, number), played in halves.items():
        comparison = found[name]
        states = [state for _, state in played]
        complete = JobState.QUEUED not in states and (
            comparison.state in ENDED or states.count(JobState.RECORDED) == len(states)
        )
        of_group = tuple(half.job for half, _ in played)
        group = _Group(GroupKind.COMPARISON, number, of_group, complete)
        groups |= dict.fromkeys(of_group, group)
    return groups


def _round_groups(session: Session, jobs: Collection[str]) -> dict[str, _Group]:
    """Returns the groups of tournaments in which all tables of a round play the same deals. A table
    may need more groups than another, so a group is complete if every table has played it or the
    round is over."""
    own = (
        sa.select(TournamentGroup.tournament, TournamentGroup.round, TournamentGroup.number)
        .join(Tournament, Tournament.name == TournamentGroup.tournament)
        .where(TournamentGroup.job.in_(jobs), Tournament.common_deals)
    )
    place = (TOURNAMENT_GROUPS.c.tournament, TOURNAMENT_GROUPS.c.round, TOURNAMENT_GROUPS.c.number)
    rows = session.execute(
        sa.select(*place, TOURNAMENT_GROUPS.c.job, Job.state)
        .join(Job, Job.id == TOURNAMENT_GROUPS.c.job)
        .where(sa.tuple_(*place).in_(own))
        .order_by(*place, TOURNAMENT_GROUPS.c.table)
    ).all()
    tables: defaultdict[tuple[str, int, int], list[tuple[str, JobState]]] = defaultdict(list)
    for tournament, round_number, number, job, state in rows:
        tables[tournament, round_number, number].append((job, state))
    sizes = _round_sizes(session, {tournament for tournament, _, _ in tables})
    groups: dict[str, _Group] = {}
    for (tournament, round_number, _), played in tables.items():
        states = [state for _, state in played]
        complete = JobState.QUEUED not in states and (
            round_number < len(sizes[tournament])
            or sizes[tournament][round_number - 1] == states.count(JobState.RECORDED)
            or _ended(session, tournament)
        )
        of_group = tuple(job for job, _ in played)
        groups |= dict.fromkeys(of_group, _Group(GroupKind.ROUND, round_number, of_group, complete))
    return groups


def _round_sizes(session: Session, tournaments: Collection[str]) -> dict[str, list[int]]:
    """Returns the numbers of tables in the rounds of tournaments."""
    rows = session.execute(
        sa.select(TournamentRound.tournament, TournamentRound.pairing)
        .where(TournamentRound.tournament.in_(tournaments))
        .order_by(TournamentRound.tournament, TournamentRound.number)
    )
    sizes: defaultdict[str, list[int]] = defaultdict(list)
    for tournament, pairing in rows:
        sizes[tournament].append(len(pairing["tables"]))
    return sizes


def _ended(session: Session, tournament: str) -> bool:
    return session.get_one(Tournament, tournament).state in ENDED
