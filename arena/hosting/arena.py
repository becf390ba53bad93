"""The composition root: locks the data folder and runs Valkey, workers, scheduler and recorder."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from arena.bots import Isolation, private_folder
from arena.bots.sandbox import named_runtimes
from arena.disk import DiskFull
from arena.errors import ArenaError
from arena.hosting.backups import BackupPlan, keep_backing_up
from arena.hosting.fleet_watch import FleetWatch
from arena.hosting.log_rotation import keep_rotating
from arena.hosting.metrics import Metrics
from arena.hosting.pruning import keep_pruning
from arena.hosting.telemetry import Telemetry
from arena.hosting.webhooks import keep_sending
from arena.hosting.worker_processes import WorkerProcesses
from arena.league import Fits, Recorder, Retention, Scheduler
from arena.memory_arenas import limit_memory_arenas
from arena.queue import EmbeddedValkey, Queue, check_address, made_key, read_key
from arena.stopping import stop_on_signals
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.session import Store

QUEUED_FOR_EACH_WORKER = 4
LOOK_EVERY_S = 0.5
STOP_WITHIN_S = 18.0  # 10 of them for the workers, then 6 for the pages
CONTAINERS_A_COLLECTION = 20_000
"""Settling a job creates some 3,000 containers, nearly all freed by their counts alone: with
Python's default of 700, the search for cycles takes a quarter of the time."""
EXPECTED = (ArenaError, DiskFull)
"""Failures whose text explains them to the user."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The competitions to host, and the means.

    `only`: the names of the competitions to run; None: all of them.
    `until_over`: stop once they are over; without it, only a signal ends the arena.
    `matches`: how many matches a ladder is to have until it is over; None: no limit.
    `workers`: the number of worker processes to start.
    `sandbox`: the isolation of the bots.
    `redis`: the address of the Redis to use; empty: the embedded Valkey.
    `backups`: None: none are made.
    `retention`: what is kept of old matches; None: everything.
    """

    only: Collection[str] | None
    until_over: bool
    matches: int | None = None
    workers: int
    sandbox: Isolation
    redis: str = ""
    backups: BackupPlan | None = None
    retention: Retention | None = None


Announce: TypeAlias = Callable[[], None]
"""Announces a service in the data folder."""


class Service(Protocol):
    """A server that runs alongside the competitions.

    `address`: where processes with access to the data folder reach it by gRPC; empty if they
      cannot.
    `announced`: fields of `Holder`.
    """

    @property
    def address(self) -> str: ...

    @property
    def announced(self) -> Mapping[str, Any]: ...

    def room(self, bot: str, game: str) -> int:
        """Returns how many matches of a game a remote bot takes at once; 0 while it is away."""

    async def run(self, store: Store, announce: Announce, telemetry: Telemetry) -> None:
        """Serves until cancelled. `announce`: called again when its addresses are known."""


class NoService:
    """Serves nobody."""

    address = ""
    announced: Mapping[str, Any] = MappingProxyType({})

    def room(self, bot: str, game: str) -> int:
        return 0

    async def run(self, store: Store, announce: Announce, telemetry: Telemetry) -> None:
        """Returns at once: there is nothing to do."""


NO_SERVICE = NoService()


def host(
    folder: DataFolder,
    plan: Plan,
    look: Callable[[Store], None],
    service: Service = NO_SERVICE,
) -> None:
    """Runs the competitions until they are over. `look` is called every LOOK_EVERY_S and once
    more at the end, to show the progress.

    SIGTERM or Ctrl-C ends it cleanly with KeyboardInterrupt: matches that were in play are replayed
    the next time. Raises ArenaError, DiskFull and WrongRuntimes.
    """
    gc.set_threshold(CONTAINERS_A_COLLECTION)
    limit_memory_arenas()
    if plan.redis:
        check_address(plan.redis)
    if plan.workers:
        named_runtimes()  # each worker reads them: a mistake there should show here
    with (
        folder.hold() as hold,
        closing(open_store(folder.path, "write")) as store,
        _valkey(folder, plan) as valkey,
    ):
        redis = valkey.url if valkey is not None else plan.redis
        queue = Queue(redis, made_key(folder.queue_key), patience_s=inf)
        made_key(folder.pages_key)

        def announce() -> None:
            hold.announce(redis, plan.only, **service.announced)

        announce()
        workers = WorkerProcesses(
            plan.workers,
            redis=redis,
            key_file=folder.queue_key,
            versions=folder.versions,
            logs=folder.logs,
            sandbox=plan.sandbox,
            server=service.address,
        )
        try:
            asyncio.run(
                _Arena(store, queue, plan, workers, valkey, look, service, announce, folder).run()
            )
        except asyncio.CancelledError:  # by a signal
            raise KeyboardInterrupt from None
        except ExceptionGroup as failures:
            raise _first_expected(failures) from None


def _first_expected(failures: ExceptionGroup[Exception]) -> Exception:
    """Returns the failure that explains the others; the group itself if none does."""
    expected = failures.subgroup(EXPECTED)
    return expected.exceptions[0] if expected else failures


@dataclass(frozen=True)
class _Arena:
    """Everything that runs in this process, and the processes started by it."""

    store: Store
    queue: Queue
    plan: Plan
    workers: WorkerProcesses
    valkey: EmbeddedValkey | None
    look: Callable[[Store], None]
    service: Service
    announce: Announce
    folder: DataFolder

    async def run(self) -> None:
        """Runs until the scheduler has seen the last match recorded."""
        task = asyncio.current_task()
        assert task is not None  # we are in one
        stop_on_signals(task.cancel, STOP_WITHIN_S)
        try:
            await self.queue.connect()
            with self.workers:
                await self._play()
        finally:
            await self.queue.close()

    async def _play(self) -> None:
        scheduler = Scheduler(
            self.store,
            self.queue,
            only=self.plan.only,
            until_over=self.plan.until_over,
            matches=self.plan.matches,
            keep=QUEUED_FOR_EACH_WORKER * max(1, self.plan.workers),
            room=self.service.room,
        )
        fits = Fits(self.store)
        async with asyncio.TaskGroup() as group:
            attendants = [group.create_task(one) for one in self._attendants(scheduler, fits)]
            try:
                await scheduler.run()
                await fits.renew()
            finally:
                # Workers stop first: they tell remote bots, through the service, that it is over.
                await self.workers.stop()
            self.look(self.store)
            for task in attendants:
                task.cancel()

    def _attendants(self, scheduler: Scheduler, fits: Fits) -> list[Coroutine[Any, Any, None]]:
        """Returns what runs until the scheduler is done."""
        backups = self.plan.backups
        metrics = Metrics(self.folder.path, backups.folder if backups is not None else None)
        recorder = Recorder(self.store, scheduler.wake, metrics)
        telemetry = Telemetry(
            self.queue.url, scheduler, recorder, metrics, own_workers=self.plan.workers > 0
        )
        logs = (self.folder.logs, self.folder.valkey)
        key = read_key(self.folder.queue_key)
        attendants = [
            recorder.run(self.queue),
            telemetry.run(),
            self.workers.keep_running(),
            self._keep_looking(),
            keep_rotating(logs),
            keep_sending(self.store),
            fits.run(),
            FleetWatch(self.store, self.queue.url, key, metrics).run(),
            self.service.run(self.store, self.announce, telemetry),
        ]
        if backups is not None:
            attendants.append(keep_backing_up(self.folder, backups))
        if self.plan.retention is not None:
            attendants.append(keep_pruning(self.store, self.plan.retention))
        if self.valkey is not None:
            attendants.append(self.valkey.keep_running())
        return attendants

    async def _keep_looking(self) -> None:
        while True:
            with suppress(DiskFull):  # the task that writes reports it
                self.look(self.store)
            await asyncio.sleep(LOOK_EVERY_S)


@contextmanager
def _valkey(folder: DataFolder, plan: Plan) -> Iterator[EmbeddedValkey | None]:
    """Runs the embedded Valkey, unless another Redis is to be used."""
    if plan.redis:
        yield None
        return
    with EmbeddedValkey(folder.valkey, private_folder()) as valkey:
        yield valkey
