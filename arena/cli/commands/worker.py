"""`arena worker`: plays jobs from the queue."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from arena.bots import Bot, Host
from arena.cli.log_format import LogFormat, LogFormatOption, log_to_stderr
from arena.cli.options import (
    DEFAULT_DATA,
    REDIS,
    DataOption,
    SandboxOption,
    chosen_sandbox,
    runtimes_for_bots,
)
from arena.client.address import LOCAL, grpc_address
from arena.client.version_sources import enrolled, relay_to, versions_in_folder, versions_on_server
from arena.errors import ArenaError, Exit, Kind
from arena.log_fields import log_fields
from arena.memory_arenas import limit_memory_arenas
from arena.queue import LEASE_S, RENEW_EVERY_S, Broadcast, Queue, check_address, read_key
from arena.stopping import stop_on_signals
from arena.store.data_folder import DataFolder
from arena.worker import Pool, Worker, broadcasting

log = logging.getLogger(__name__)

CORES = os.cpu_count() or 1
FINISH_WITHIN_S = 20.0


def worker(
    redis: Annotated[
        str,
        typer.Option(
            envvar=REDIS,
            help="Redis address of the queue. [default: that of the running arena]",
        ),
    ] = "",
    versions: Annotated[
        Path | None, typer.Option(help="Folder of the bot versions. [default: in the data folder]")
    ] = None,
    server: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address of the arena, for remote bots and, without --versions, for bot versions. "
            "Put the worker's token into ARENA_USER_TOKEN. [default: that of the running arena]",
        ),
    ] = "",
    key_file: Annotated[
        Path | None,
        typer.Option(
            help="File with the key that signs results: a copy of queue.key in the data folder of"
            " the arena. [default: the server's, or that of the data folder]"
        ),
    ] = None,
    keep_mb: Annotated[
        int, typer.Option(min=1, help="Size of the cache of fetched versions, in MiB.")
    ] = 4096,
    jobs: Annotated[int, typer.Option(min=1, help="Number of jobs to play at once.")] = CORES,
    lease: Annotated[float, typer.Option(min=0.1, help="Lease of a job, in seconds.")] = LEASE_S,
    finish_within: Annotated[
        float,
        typer.Option(
            min=0.0,
            help="Time to finish the jobs in play when it is stopped, in seconds; then they are"
            " given back. 0: at once.",
        ),
    ] = FINISH_WITHIN_S,
    log_format: LogFormatOption = LogFormat.TEXT,
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Play jobs from the queue, until stopped.

    Workers may be started and stopped at any time.

    Examples:
        arena worker                                      # on the arena's machine
        arena worker --redis redis://10.0.0.5:6379 --server https://arena.example
    """
    log_to_stderr(logging.INFO, log_format)
    box = chosen_sandbox(sandbox, required=True)
    folder = DataFolder(data)
    server = server and grpc_address(server)
    url = redis or _address_of(folder)
    check_address(url)
    key = _Key(key_file, server, versions.absolute().parent if versions else data)
    reach = server or folder.server()
    here = versions or (None if server and not server.startswith(LOCAL) else folder.versions)
    host = Host(box, runtimes=runtimes_for_bots())
    limit_memory_arenas()
    name = f"{socket.gethostname()}-{os.getpid()}"
    with log_fields(worker=name):
        source = _Source(here, reach, keep_mb)
        asyncio.run(_work(name, url, key, source, jobs, lease, finish_within, host))
    return Exit.DONE


@dataclass(frozen=True)
class _Key:
    """The places where a worker finds the key that signs its results, the first one that is named.

    `file`: a file that contains it.
    `server`: the address of a server, which hands it to workers.
    `folder`: the data folder of the arena.
    """

    file: Path | None
    server: str
    folder: Path

    async def read(self, worker: str) -> bytes:
        """Returns the key. `worker`: the name of the worker that signs. Raises ArenaError."""
        if self.file is None and self.server and not self.server.startswith(LOCAL):
            return await enrolled(self.server, worker)
        return read_key(self.file or DataFolder(self.folder).queue_key)


@dataclass(frozen=True)
class _Source:
    """The places where a worker finds bots.

    `folder`: the bot versions on this machine; None: fetch them from the server.
    `server`: the address of the server, which also has the remote bots; empty: there is none.
    `keep_mb`: the size of the cache of fetched versions, in MiB.
    """

    folder: Path | None
    server: str
    keep_mb: int


async def _work(
    name: str,
    url: str,
    key: _Key,
    source: _Source,
    jobs: int,
    lease_s: float,
    finish_s: float,
    host: Host,
) -> None:
    signing_key = await key.read(name)
    queue = Queue(url, signing_key, lease_s=lease_s)
    await queue.connect()
    turned_away: list[str] = []

    def leave(sentence: str) -> None:
        turned_away.append(sentence)
        plays.stop()

    versions = (
        versions_on_server(source.server, source.keep_mb, lambda: pool.versions, leave)
        if source.folder is None
        else versions_in_folder(source.folder)
    )
    async with (
        host as bots,
        versions as find,
        relay_to(source.server) as relay,
        Broadcast(url, signing_key) as broadcast,
        broadcasting(broadcast) as observing,
    ):

        async def start(version: str) -> Bot:
            return await bots.start(await find(version))

        pool = Pool(start)
        renew_every_s = lease_s * RENEW_EVERY_S / LEASE_S
        plays = Worker(
            name,
            queue,
            pool,
            at_once=jobs,
            renew_every_s=renew_every_s,
            trial=bots.try_out,
            relay=relay,
            observing=observing,
        )
        work = asyncio.create_task(plays.run())

        def stop() -> None:
            plays.stop()
            log.info("stopping: jobs in play have %g seconds to finish", finish_s)
            asyncio.get_running_loop().call_later(finish_s, work.cancel)

        stop_on_signals(stop)
        await asyncio.wait([work])
    await queue.close()
    if not work.cancelled():
        work.result()
    if turned_away:
        raise ArenaError(Kind.UNREACHABLE, turned_away[0], "server")


def _address_of(folder: DataFolder) -> str:
    holder = folder.holder()
    if holder is None or not holder.redis:
        raise ArenaError(
            Kind.UNREACHABLE,
            f"No arena is running on {folder.path}. Start one, or pass the address of a queue with"
            " --redis.",
            "redis",
        )
    return holder.redis
