"""The queue, and the jobs that were given up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league import fleet
from arena.nearest import no_such
from arena.operations.arena import read_activity
from arena.operations.caller import ORGANISERS
from arena.operations.operation import Changing, Reading, Text, changes, reads
from arena.store.schema import Competition, Job
from arena.views.running.queue import ChangedJobs, QueueView, parked_views


@reads("/queue", ORGANISERS)
def read_queue(asked: Reading) -> QueueView:
    """The queue at this moment, and the jobs that were given up, with the reasons."""
    activity = read_activity.call(asked, {})
    return QueueView(
        trouble=activity.trouble,
        queue=activity.queue,
        parked=parked_views(fleet.parked_jobs(asked.session)),
    )


@changes("POST", "/queue/retry", ORGANISERS)
def retry_jobs(call: Changing, job: Text = "", everything: bool = False) -> ChangedJobs:
    """Play parked jobs again: one, by its id or the beginning of it, or everything that is parked.
    A ladder's is on the queue within a minute. A tournament or comparison goes on, and plays all
    that it had given up again with the same deals."""
    with call.store.writing() as session:
        return _changed(session, job, everything, partial(fleet.retry, session))


@changes("POST", "/queue/drop", ORGANISERS)
def drop_jobs(call: Changing, job: Text = "", everything: bool = False) -> ChangedJobs:
    """Drop parked jobs: one, by its id or the beginning of it, or everything that is parked. A
    ladder's is not played. That of a tournament or comparison leaves its place to another, with the
    same deals, when that goes on: to end it unplayed, withdraw a bot or cancel it."""
    with call.store.writing() as session:
        return _changed(session, job, everything, lambda row, _: fleet.drop(session, row))


def _changed(
    session: Session,
    name: str,
    everything: bool,
    change: Callable[[Job, Competition], None],
) -> ChangedJobs:
    """Raises ArenaError. Of everything, what cannot be changed is left."""
    if bool(name) is everything:
        raise ArenaError(
            Kind.WRONG_INPUT, "Name one parked job, or ask for everything that is parked.", "job"
        )
    found = fleet.parked_jobs(session)
    if name:
        one = _named(found, name)
        change(*one)
        return ChangedJobs(jobs=(one[0].id,), left={})
    done, left = [], {}
    for row, competition in found:
        try:
            change(row, competition)
        except ArenaError as error:
            left[row.id] = error.sentence
        else:
            done.append(row.id)
    return ChangedJobs(jobs=tuple(done), left=left)


def _named(found: Sequence[tuple[Job, Competition]], name: str) -> tuple[Job, Competition]:
    """Returns the parked job whose id begins so. Raises ArenaError."""
    fitting = [one for one in found if one[0].id.startswith(name)]
    if not fitting:
        known = [job.id for job, _ in found]
        raise ArenaError(Kind.NOT_FOUND, no_such("parked job", name, known), "job")
    if len(fitting) > 1:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The ids of {len(fitting)} parked jobs begin with {name}: write more of it.",
            "job",
        )
    return fitting[0]
