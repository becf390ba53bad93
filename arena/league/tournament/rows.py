"""A tournament as its rows tell it: the field, the rounds, and what every table has played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.tournament.group_result import GroupResult, group_result
from arena.store.schema import (
    Job,
    JobState,
    TournamentEntrant,
    TournamentGroup,
    TournamentRound,
    Version,
)
from arena.tournament import Cost, Entrant, Meeting, Pairing, TournamentCourse, TournamentTerms
from arena.views.matches.match import matches_of_jobs
from arena.views.tournaments.tournament import EnteredVersion

Place = tuple[int, int]
"""A round and a table of it, both counted from 1."""


@dataclass(frozen=True)
class Group:
    """A group of matches at a table: its job and, once that is recorded, its result.

    `reason`: why the job was given up, if it was.
    """

    number: int
    job: str
    state: JobState
    reason: str
    result: GroupResult | None


@dataclass(frozen=True)
class History:
    """The course of a tournament so far.

    `entered`: the entrants, by number.
    `versions`: their versions, by number.
    `groups`: of each table, in order.
    """

    entered: tuple[EnteredVersion, ...]
    versions: Mapping[int, Version]
    rounds: tuple[Pairing, ...]
    groups: Mapping[Place, Sequence[Group]]

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """The entrants, by number, as pairings know them."""
        return tuple(one.entrant() for one in self.entered)

    @property
    def first_field(self) -> list[Entrant]:
        """Those who were there from the first round."""
        return [one for one in self.entrants if one.entered_round == 1]

    def groups_at(self, meeting: Meeting) -> Sequence[Group]:
        """Returns the groups of a table, in order, whether they are finished or not."""
        return self.groups.get((meeting.round, meeting.table), ())

    def finished_at(self, meeting: Meeting) -> list[tuple[Group, GroupResult]]:
        """Returns a table's groups with their results, up to the first that is not finished, or
        that is missing because its job was given up and is about to be played again."""
        finished = []
        for number, group in enumerate(self.groups_at(meeting), 1):
            if group.number != number or group.result is None:
                break
            finished.append((group, group.result))
        return finished

    def course(self, terms: TournamentTerms) -> TournamentCourse:
        """Returns the course of the tournament, on these terms."""
        return TournamentCourse(
            terms,
            self.entrants,
            self.rounds,
            {
                (meeting.round, meeting.table): tuple(
                    tuple(result.points[entrant] for entrant in meeting.entrants)
                    for _, result in self.finished_at(meeting)
                )
                for pairing in self.rounds
                for meeting in pairing.meetings
            },
        )


Known = dict[str, GroupResult]
"""The results of recorded jobs, which never change."""


def history_of(session: Session, tournament: str, known: Known | None = None) -> History:
    """Reads the history of a tournament. `known`: results that need not be read again; those that
    are read are added."""
    rows = _entered_rows(session, tournament)
    return History(
        entered=_entered(rows),
        versions={entrant.number: version for entrant, version in rows},
        rounds=tuple(
            pairing_of(row.number, row.pairing)
            for row in session.scalars(
                sa.select(TournamentRound)
                .where(TournamentRound.tournament == tournament)
                .order_by(TournamentRound.number)
            )
        ),
        groups=_groups(
            session,
            tournament,
            {version.digest: entrant.number for entrant, version in rows},
            {} if known is None else known,
        ),
    )


def entered_version(session: Session, entrant: TournamentEntrant) -> EnteredVersion:
    """Returns the public description of an entrant."""
    [entered] = _entered([(entrant, session.get_one(Version, entrant.version))])
    return entered


def pairing_document(pairing: Pairing) -> dict[str, Any]:
    """Returns a pairing as the store has it."""
    return {
        "tables": [list(meeting.entrants) for meeting in pairing.meetings],
        "byes": list(pairing.byes),
        "costs": [[cost.name, cost.value, cost.sentence] for cost in pairing.costs],
        "method": pairing.method,
    }


def pairing_of(number: int, document: Mapping[str, Any]) -> Pairing:
    """Returns the pairing of a document that `pairing_document` made."""
    return Pairing(
        round=number,
        meetings=tuple(
            Meeting(number, table, tuple(entrants))
            for table, entrants in enumerate(document["tables"], 1)
        ),
        byes=tuple(document["byes"]),
        costs=tuple(Cost(*cost) for cost in document["costs"]),
        method=document["method"],
    )


def _entered_rows(session: Session, tournament: str) -> list[tuple[TournamentEntrant, Version]]:
    rows = session.execute(
        sa.select(TournamentEntrant, Version)
        .join(Version, Version.digest == TournamentEntrant.version)
        .where(TournamentEntrant.tournament == tournament)
        .order_by(TournamentEntrant.number)
    )
    return [(entrant, version) for entrant, version in rows]


def _entered(rows: Sequence[tuple[TournamentEntrant, Version]]) -> tuple[EnteredVersion, ...]:
    return tuple(
        EnteredVersion(
            number=entrant.number,
            bot=version.bot,
            version=version.digest,
            version_number=version.number,
            owner=entrant.owner,
            entered_round=entrant.entered_round,
            withdrawn_round=entrant.withdrawn_round,
            reason=entrant.reason,
            checked_in=entrant.checked_in,
        )
        for entrant, version in rows
    )


def _groups(
    session: Session, tournament: str, number_of: Mapping[str, int], known: Known
) -> dict[Place, list[Group]]:
    rows = session.execute(
        sa.select(TournamentGroup, Job.state, Job.reason)
        .join(Job, Job.id == TournamentGroup.job)
        .where(TournamentGroup.tournament == tournament)
        .order_by(TournamentGroup.round, TournamentGroup.table, TournamentGroup.number)
    ).all()
    fresh = [
        row.job for row, state, _ in rows if state is JobState.RECORDED and row.job not in known
    ]
    for job, matches in matches_of_jobs(session, fresh).items():
        known[job] = group_result(matches, number_of)
    found: defaultdict[Place, list[Group]] = defaultdict(list)
    for row, state, reason in rows:
        group = Group(row.number, row.job, state, reason, known.get(row.job))
        found[row.round, row.table].append(group)
    return dict(found)
