"""The whole arena in one command: the data folder held, Valkey, workers, scheduler, recorder."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from arena.bots.process.launch import Isolation
from arena.cli.fleet import Fleet
from arena.cli.options import hint
from arena.cli.output import stderr
from arena.cli.sandboxing import chosen_runtimes
from arena.client.data_folder import held
from arena.client.errors import CommandError, Exit
from arena.league.recorder import Recorder
from arena.league.scheduler import Scheduler
from arena.queue.address import check_address
from arena.queue.embedded_valkey import EmbeddedValkey, ValkeyDidNotStart
from arena.queue.redis_queue import Queue, QueueUnreachable
from arena.store.data_folder import DataFolder, WrongDataFolder
from arena.store.open import open_store
from arena.store.session import Store

QUEUED_FOR_EACH_WORKER = 4
LOOK_EVERY_S = 0.5


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to host: `ladders` (by name; None: all that run) until each has `matches`, by so many
    workers. `redis`: the address of a Redis to use; empty: the embedded Valkey."""

    ladders: Collection[str] | None
    matches: int | None
    workers: int
    sandbox: Isolation
    redis: str = ""


class Service(Protocol):
    """What runs beside the ladders. `address`: where it serves whoever may enter the folder."""

    @property
    def address(self) -> str: ...

    def room(self, bot: str, game: str) -> int:
        """How many matches of a game a remote bot takes at once; 0 while it is away."""

    async def run(self, store: Store) -> None:
        """Serves until cancelled."""


class NoService:
    """Nobody is served."""

    address = ""

    def room(self, bot: str, game: str) -> int:
        return 0

    async def run(self, store: Store) -> None:
        """There is nothing to do."""


NO_SERVICE = NoService()


def host(
    folder: DataFolder,
    plan: Plan,
    look: Callable[[Store], None],
    service: Service = NO_SERVICE,
) -> None:
    """Runs the ladders to their targets; `look` is called again and again, to show how far
    they are.

    Ends cleanly when interrupted: what was in play is played again the next time.
    """
    if plan.redis:
        check_address(plan.redis)
    if plan.workers:
        chosen_runtimes(folder.path)  # as each worker will: what is wrong is said here
    else:
        stderr.print(
            f"No workers are started here; start some: {hint('arena worker', folder.path)}",
            markup=False,
        )
    with held(folder) as hold, _opened(folder) as store, _valkey(folder, plan) as valkey:
        url = valkey.url if valkey is not None else plan.redis
        hold.announce(url, service.address, plan.ladders)
        fleet = Fleet(
            plan.workers,
            redis=url,
            versions=folder.versions,
            logs=folder.path / "logs",
            sandbox=plan.sandbox,
            server=service.address,
        )
        try:
            asyncio.run(_run(store, Queue(url), plan, fleet, valkey, look, service))
        except ExceptionGroup as failures:
            raise _explained(failures) from None


def _explained(failures: ExceptionGroup[Exception]) -> Exception:
    """The failure that a sentence explains, if there is one."""
    explained = failures.subgroup((CommandError, WrongDataFolder, QueueUnreachable))
    return explained.exceptions[0] if explained else failures


async def _run(
    store: Store,
    queue: Queue,
    plan: Plan,
    fleet: Fleet,
    valkey: EmbeddedValkey | None,
    look: Callable[[Store], None],
    service: Service,
) -> None:
    """Everything at once, until the scheduler has seen the last match recorded."""
    _stop_on_sigterm()
    scheduler = Scheduler(
        store,
        queue,
        only=plan.ladders,
        matches=plan.matches,
        keep=QUEUED_FOR_EACH_WORKER * max(1, plan.workers),
        room=service.room,
    )
    recorder = Recorder(store, scheduler.wake)
    try:
        await queue.connect()
        with fleet:
            async with asyncio.TaskGroup() as group:
                beside = [
                    group.create_task(recorder.run(queue)),
                    group.create_task(fleet.keep_running()),
                    group.create_task(_looking(store, look)),
                    group.create_task(service.run(store)),
                ]
                if valkey is not None:
                    beside.append(group.create_task(valkey.keep_running()))
                try:
                    await scheduler.run()
                finally:
                    # Workers leave first: by the service they tell remote bots that it is over.
                    await fleet.leave()
                look(store)
                for task in beside:
                    task.cancel()
    finally:
        await queue.close()


async def _looking(store: Store, look: Callable[[Store], None]) -> None:
    while True:
        look(store)
        await asyncio.sleep(LOOK_EVERY_S)


def _stop_on_sigterm() -> None:
    """SIGTERM ends the arena as Ctrl-C does."""
    task = asyncio.current_task()
    assert task is not None  # we are in one
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


@contextmanager
def _opened(folder: DataFolder) -> Iterator[Store]:
    store = open_store(folder.path, "write")
    try:
        yield store
    finally:
        store.close()


@contextmanager
def _valkey(folder: DataFolder, plan: Plan) -> Iterator[EmbeddedValkey | None]:
    """The embedded Valkey, unless another Redis is to be used."""
    if plan.redis:
        yield None
        return
    try:
        with EmbeddedValkey(folder.valkey) as valkey:
            yield valkey
    except ValkeyDidNotStart as error:
        raise CommandError(str(error), "data", Exit.ARENA_FAILED) from None
