"""The activity of a running arena: its queue, its workers, and the competitions that go on."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.queries import ENDED
from arena.store.schema import Machine, MachineState, Match, now
from arena.views.competition import competition_cards
from arena.views.view import Moment, View

if TYPE_CHECKING:
    from arena.queue import QueueState

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


class QueueActivity(View):
    """The jobs in the queue.

    `oldest_s`: how long the oldest job has waited for a worker, in seconds.
    `analyses`: matches that are to be analysed, or are being analysed.
    `results`: outcomes that wait to be recorded.
    """

    waiting: int
    oldest_s: float
    in_play: int
    analyses: int
    results: int

    @property
    def sentence(self) -> str:
        """The same for people."""
        oldest = f" (the oldest for {self.oldest_s:,.0f} seconds)" if self.waiting else ""
        return (
            f"Jobs that wait: {self.waiting}{oldest}; in play: {self.in_play}; matches to be"
            f" analysed: {self.analyses}; results to be recorded: {self.results}."
        )


class WorkerActivity(View):
    """A worker. `jobs`: those that it plays. `silent_s`: the time since it called, in seconds."""

    name: str
    jobs: int
    silent_s: float


class MachineActivity(View):
    """A machine that was seen within a day, or that is blocked. `seen_at`: when a worker of it last
    called."""

    name: str
    state: MachineState
    seen_at: Moment | None


class CompetitionActivity(View):
    """A competition that has not ended.

    `queued`: jobs that wait or are in play.
    `matches_a_minute`: those that ended in the last minute.
    """

    name: str
    kind: str
    game: str
    state: str
    entrants: int
    queued: int
    matches: int
    matches_a_minute: int


class Activity(View):
    """The activity of an arena.

    `trouble`: a sentence saying why the queue is not seen; empty if it is.
    `queue`: None if it is not seen.
    """

    trouble: str
    queue: QueueActivity | None
    workers: tuple[WorkerActivity, ...]
    machines: tuple[MachineActivity, ...]
    competitions: tuple[CompetitionActivity, ...]


def machines_lately(session: Session) -> tuple[MachineActivity, ...]:
    """Returns the machines that were seen within a day, and those that are blocked, by name. A
    fleet of containers has a new one with every worker."""
    lately = sa.or_(Machine.seen_at > now() - DAY, Machine.blocked_at.is_not(None))
    found = session.scalars(sa.select(Machine).where(lately).order_by(Machine.name))
    return tuple(map(MachineActivity.model_validate, found))


def activity_of(session: Session, queue: QueueState | None, trouble: str = "") -> Activity:
    """Returns the activity of an arena. `queue`: its state; None if it is not seen."""
    counted = (
        sa.select(Match.competition, sa.func.count())
        .where(Match.finished_at > now() - MINUTE)
        .group_by(Match.competition)
    )
    lately: dict[str, int] = dict(session.execute(counted).all())
    return Activity(
        trouble=trouble,
        queue=None if queue is None else QueueActivity.model_validate(queue),
        workers=()
        if queue is None
        else tuple(map(WorkerActivity.model_validate, sorted(queue.workers, key=str))),
        machines=machines_lately(session),
        competitions=tuple(
            CompetitionActivity(
                **card.model_dump(include=set(CompetitionActivity.model_fields)),
                matches_a_minute=lately.get(card.name, 0),
            )
            for card in competition_cards(session)
            if card.state not in ENDED
        ),
    )
