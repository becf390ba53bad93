"""`arena worker`: plays jobs from the queue until stopped."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from pathlib import Path
from typing import Annotated

import typer

from arena.bots.host import Bot, Host
from arena.bots.launch import Isolation
from arena.bots.line import ArenaFailure
from arena.bots.source import UnknownBot, find_version
from arena.cli.arguments import DEFAULT_DATA, DataOption
from arena.cli.errors import CommandError, Exit
from arena.cli.sandboxing import SandboxOption, chosen_sandbox
from arena.queue.stream import LEASE_S, RENEW_EVERY_S, Queue
from arena.store.folder import DataFolder
from arena.worker.pool import Pool
from arena.worker.worker import Worker

CORES = os.cpu_count() or 1


def worker(
    redis: Annotated[
        str, typer.Option(help="The queue's address. [default: the running arena's]")
    ] = "",
    versions: Annotated[
        Path | None, typer.Option(help="Where bot versions lie. [default: in the data folder]")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Jobs played at once.")] = CORES,
    lease: Annotated[float, typer.Option(min=0.1, help="The lease of a job, in s.")] = LEASE_S,
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Plays jobs until stopped. Workers may be started and stopped at any time."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    box = chosen_sandbox(sandbox, required=True)
    folder = DataFolder(data)
    url = redis or _address_of(folder)
    place = versions or folder.versions
    asyncio.run(_work(url, place, jobs, lease, box))
    return Exit.DONE


async def _work(url: str, versions: Path, jobs: int, lease_s: float, box: Isolation) -> None:
    queue = Queue(url, lease_s=lease_s)
    await queue.connect()
    name = f"{socket.gethostname()}-{os.getpid()}"
    async with Host(box) as bots:
        pool = Pool(lambda version: _start(versions, version, bots))
        renew_every_s = lease_s * RENEW_EVERY_S / LEASE_S
        plays = Worker(name, queue, pool, at_once=jobs, renew_every_s=renew_every_s)
        work = asyncio.create_task(plays.run())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, work.cancel)
        await asyncio.wait([work])
    await queue.close()
    if not work.cancelled():
        work.result()


async def _start(versions: Path, version: str, bots: Host) -> Bot:
    """A process of the version whose digest that is."""
    try:
        source = find_version(versions, version)
    except UnknownBot as error:
        raise ArenaFailure(f"The bot version {version} is not usable: {error}") from None
    return await bots.start(source)


def _address_of(folder: DataFolder) -> str:
    holder = folder.holder()
    if holder is None or not holder.redis:
        raise CommandError(
            f"No arena runs on {folder.path}. Start one, or give the queue's address with --redis.",
            "redis",
            Exit.UNREACHABLE,
        )
    return holder.redis
