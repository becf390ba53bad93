"""The queue: its length, and the jobs that were given up."""

from __future__ import annotations

import json
from collections.abc import Sequence

from arena.store.schema import Competition, Job
from arena.views.activity import QueueActivity
from arena.views.view import Moment, View


class ParkedJob(View):
    """A job that was given up.

    `bots`: those that were to play. `created_at`: when it was paired.
    `attempts`: how often workers began to play it. `reason`: why it was given up, a sentence.
    """

    job: str
    competition: str
    kind: str
    bots: tuple[str, ...]
    created_at: Moment
    attempts: int
    reason: str


class QueueView(View):
    """The queue of an arena.

    `trouble`: a sentence saying why it is not seen; empty if it is.
    `queue`: None if it is not seen.
    `parked`: the jobs that were given up, oldest first, of competitions that go on.
    """

    trouble: str
    queue: QueueActivity | None
    parked: tuple[ParkedJob, ...]


class ChangedJobs(View):
    """Parked jobs that are played again, or are dropped. `left`: the reasons for which others are
    not, by job."""

    jobs: tuple[str, ...]
    left: dict[str, str]


def parked_views(found: Sequence[tuple[Job, Competition]]) -> tuple[ParkedJob, ...]:
    """Returns parked jobs as people see them."""
    return tuple(
        ParkedJob(
            job=job.id,
            competition=competition.name,
            kind=competition.kind,
            bots=tuple(entrant["bot"] for entrant in json.loads(job.body)["entrants"]),
            created_at=job.created_at,
            attempts=job.attempts,
            reason=job.reason,
        )
        for job, competition in found
    )
