"""The state of an arena, for those who watch it from outside."""

from __future__ import annotations

import asyncio
import logging

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.clock import monotonic
from arena.league import Recorder, Scheduler
from arena.queue import QueueSilent, QueueState, QueueWatch
from arena.views.condition import AT_THE_DOOR, Condition, Part, PartName, condition_of

log = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
STUCK_AFTER_S = 30.0
"""A round of the scheduler or the recorder that takes longer is stuck. The longest ones, of a
crowded tournament or after a pause of Redis, take seconds."""
START_S = 30.0
"""An arena's own workers may take this long to start, on a machine whose cores are busy."""
WITHOUT_WORKERS_S = 4.0


class Telemetry:
    """Looks at the parts of an arena.

    `own_workers`: whether the arena starts workers itself.
    """

    def __init__(
        self, redis: str, scheduler: Scheduler, recorder: Recorder, *, own_workers: bool
    ) -> None:
        self._watch = QueueWatch(redis)
        self._scheduler = scheduler
        self._recorder = recorder
        self._patience_s = START_S if own_workers else WITHOUT_WORKERS_S

    async def run(self) -> None:
        """Warns about a queue without workers, until cancelled."""
        without_since: float | None = None
        warned = False
        try:
            while True:
                if not _is_left_alone(await self._queue()):
                    if warned:
                        log.warning("workers take jobs again")
                    without_since, warned = None, False
                elif without_since is None:
                    without_since = monotonic()
                elif not warned and monotonic() > without_since + self._patience_s:
                    log.warning("%s", WITHOUT_WORKERS)
                    warned = True
                await asyncio.sleep(LOOK_EVERY_S)
        finally:
            await self._watch.close()

    @property
    def routes(self) -> list[Route]:
        """The door's addresses for the state of the arena."""
        return [Route(AT_THE_DOOR, self._condition)]

    async def _condition(self, request: Request) -> Response:
        condition = await self.condition()
        return Response(condition.model_dump_json(), media_type="application/json")

    async def condition(self) -> Condition:
        """Returns the condition of the parts that this process sees."""
        state = await self._queue()
        return condition_of((self._league(), _queue_part(state), _workers_part(state)))

    async def _queue(self) -> QueueState | QueueSilent:
        try:
            return await self._watch.look()
        except QueueSilent as silent:
            return silent

    def _league(self) -> Part:
        looks = {"scheduler": self._scheduler.looked_at, "recorder": self._recorder.looked_at}
        last = min(looks, key=lambda one: looks[one])
        ago_s = monotonic() - looks[last]
        if ago_s > STUCK_AFTER_S:
            sentence = f"The {last} has not finished a round for {ago_s:.0f} seconds."
            return Part(part=PartName.LEAGUE, ok=False, sentence=sentence)
        return Part(
            part=PartName.LEAGUE,
            ok=True,
            sentence=f"The last round of the {last} ended {ago_s:.1f} seconds ago.",
        )


WITHOUT_WORKERS = (
    "Jobs wait, and no worker takes them: start one with `arena worker`, or start the arena with"
    " --workers."
)


def _is_left_alone(state: QueueState | QueueSilent) -> bool:
    """Returns whether jobs wait and no worker is there."""
    return isinstance(state, QueueState) and state.waiting > 0 and not state.workers


def _queue_part(state: QueueState | QueueSilent) -> Part:
    if isinstance(state, QueueSilent):
        return Part(part=PartName.QUEUE, ok=False, sentence=str(state))
    sentence = (
        f"Jobs that wait: {state.waiting}; in play: {state.in_play}; results to be recorded:"
        f" {state.results}."
    )
    return Part(part=PartName.QUEUE, ok=True, sentence=sentence)


def _workers_part(state: QueueState | QueueSilent) -> Part:
    if isinstance(state, QueueSilent):
        sentence = "They cannot be seen while the queue does not answer."
        return Part(part=PartName.WORKERS, ok=False, sentence=sentence)
    if _is_left_alone(state):
        return Part(part=PartName.WORKERS, ok=False, sentence=WITHOUT_WORKERS)
    return Part(part=PartName.WORKERS, ok=True, sentence=f"Workers: {len(state.workers)}.")
