"""The state of an arena, for those who watch it from outside."""

from __future__ import annotations

import asyncio
import logging

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.clock import monotonic
from arena.hosting.metrics import Metrics
from arena.league import Recorder, Scheduler
from arena.queue import QueueSilent, QueueState, QueueWatch
from arena.views.condition import AT_THE_DOOR, METRICS, Condition, Part, PartName, condition_of

log = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
MEASURE_EVERY_S = 0.25
STUCK_AFTER_S = 30.0
"""A round of the scheduler or the recorder that takes longer is stuck. The longest ones, of a
crowded tournament or after a pause of Redis, take seconds."""
START_S = 30.0
"""An arena's own workers may take this long to start, on a machine whose cores are busy."""
WITHOUT_WORKERS_S = 4.0


class Telemetry:
    """Looks at the parts of an arena.

    `metrics`: what it counts.
    `own_workers`: whether the arena starts workers itself.
    """

    def __init__(
        self,
        redis: str,
        scheduler: Scheduler,
        recorder: Recorder,
        metrics: Metrics,
        *,
        own_workers: bool,
    ) -> None:
        self._watch = QueueWatch(redis)
        self._scheduler = scheduler
        self._recorder = recorder
        self.metrics = metrics
        self._patience_s = START_S if own_workers else WITHOUT_WORKERS_S

    async def run(self) -> None:
        """Measures the lag of the event loop, and warns about a queue without workers, until
        cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._measure_lag())
            group.create_task(self._warn())

    async def _measure_lag(self) -> None:
        while True:
            due = monotonic() + MEASURE_EVERY_S
            await asyncio.sleep(MEASURE_EVERY_S)
            self.metrics.lagged(max(0.0, monotonic() - due))

    async def _warn(self) -> None:
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
        return [Route(AT_THE_DOOR, self._condition), Route(METRICS, self._metrics)]

    async def _condition(self, request: Request) -> Response:
        condition = await self.condition()
        return Response(condition.model_dump_json(), media_type="application/json")

    async def _metrics(self, request: Request) -> Response:
        state = await self._queue()
        queue = state if isinstance(state, QueueState) else None
        return Response(self.metrics.exposition(queue, self._round_ages_s()))

    async def condition(self) -> Condition:
        """Returns the condition of the parts that this process sees."""
        state = await self._queue()
        return condition_of((self._league(), _queue_part(state), _workers_part(state)))

    async def _queue(self) -> QueueState | QueueSilent:
        try:
            return await self._watch.look()
        except QueueSilent as silent:
            return silent

    def _round_ages_s(self) -> dict[str, float]:
        """Returns the time since the last round of each part of the league, in seconds."""
        looks = {"scheduler": self._scheduler.looked_at, "recorder": self._recorder.looked_at}
        return {part: monotonic() - looked_at for part, looked_at in looks.items()}

    def _league(self) -> Part:
        ages_s = self._round_ages_s()
        last = max(ages_s, key=lambda one: ages_s[one])
        ago_s = ages_s[last]
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
