"""The counts behind a ladder's pairings, counted again from the bodies of its jobs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.schema import Job, LadderMeeting, LadderSeat

Seats = dict[tuple[str, int], int]
Meetings = dict[tuple[str, str], tuple[int, int]]


def stored(session: Session, ladder: str) -> tuple[Seats, Meetings]:
    """Returns the counts in the store: jobs by version and seat; jobs and partnerships by pair."""
    seats = session.scalars(sa.select(LadderSeat).where(LadderSeat.ladder == ladder))
    meetings = session.scalars(sa.select(LadderMeeting).where(LadderMeeting.ladder == ladder))
    return (
        {(row.version, row.seat): row.jobs for row in seats},
        {(row.one, row.other): (row.jobs, row.partnered) for row in meetings},
    )


def counted(session: Session, ladder: str, teams: Sequence[int]) -> tuple[Seats, Meetings]:
    """Returns the same from all jobs of the ladder. `teams`: the team of each seat."""
    seats: Counter[tuple[str, int]] = Counter()
    met: Counter[tuple[str, ...]] = Counter()
    partnered: Counter[tuple[str, ...]] = Counter()
    for body in session.scalars(sa.select(Job.body).where(Job.competition == ladder)):
        entrants = [entrant["version"] for entrant in json.loads(body)["entrants"]]
        seats.update(zip(entrants, range(len(entrants)), strict=True))
        for one, other in combinations(range(len(entrants)), 2):
            if teams[one] == teams[other] and entrants[one] != entrants[other]:
                partnered[tuple(sorted((entrants[one], entrants[other])))] += 1
        met.update(combinations(sorted({*entrants}), 2))
    return dict(seats), {
        (one, other): (met[one, other], partnered[one, other]) for one, other in met
    }
