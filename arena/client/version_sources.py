"""A worker's sources of bots: versions in a folder or on a server, and a server's remote bots.

Also its enrolment with the server."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import grpc
import grpc.aio

from arena.bots import ArenaFailure, UnknownBot, find_version, private_folder
from arena.bots.remote import Relay
from arena.bots.source import Runnable, try_to_remove
from arena.client.grpc_channel import WORKER_OPTIONS, credentials_for, endpoint_of, trouble_at
from arena.client.reachability import PATIENCE_S, Trouble
from arena.clock import monotonic
from arena.errors import ArenaError, Kind
from arena.operations.acting import ENROLLING
from arena.worker import BROKEN_OFF, Fetch, FetchedVersions
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.version_pb2 import FetchVersionRequest, FetchVersionResponse
from sevens.league.v1.worker_pb2 import EnrolWorkerRequest, EnrolWorkerResponse

PAUSE_S = 0.5
NO_SUCH_VERSION = grpc.StatusCode.NOT_FOUND

Answer = TypeVar("Answer")
FindVersion = Callable[[str], Awaitable[Runnable]]
"""Returns the version of a digest, ready to run. Raises ArenaFailure."""


@asynccontextmanager
async def versions_in_folder(versions: Path) -> AsyncIterator[FindVersion]:
    """Versions in a folder of this machine."""

    async def find(version: str) -> Runnable:
        try:
            return find_version(versions, version)
        except UnknownBot as error:
            raise ArenaFailure(f"The bot version {version} is not usable: {error}") from None

    yield find


@asynccontextmanager
async def versions_on_server(
    server: str,
    keep_mb: int,
    in_use: Callable[[], Collection[str]],
    turned_away: Callable[[str], None],
) -> AsyncIterator[FindVersion]:
    """Versions of a server, cached while the context lasts.

    `keep_mb`: the size of the cache in MiB; versions in use are never evicted.
    `in_use`: returns the digests of the versions in use.
    `turned_away`: receives a sentence if the server refuses this worker later on.

    Raises ArenaError if the server refuses this worker at the start.
    """
    metadata, channel = credentials_for(server), endpoint_of(server).open_async(WORKER_OPTIONS)
    stub = LeagueServiceStub(channel)

    def fetch(version: str) -> AsyncIterator[FetchVersionResponse]:
        request = FetchVersionRequest(version=version)
        parts: AsyncIterator[FetchVersionResponse] = stub.FetchVersion(request, metadata=metadata)
        return parts

    async with channel:
        await _check_admitted(fetch, server)
        # This also removes the caches of workers that were killed.
        folder = private_folder(Path(tempfile.gettempdir()))
        try:
            cache = FetchedVersions(fetch, folder, keep_mb << 20, in_use, turned_away)
            yield cache.find
        finally:
            try_to_remove(folder)


@asynccontextmanager
async def relay_to(server: str) -> AsyncIterator[Relay | None]:
    """The relay to a server's remote bots; None if no server is named. Raises ArenaError."""
    if not server:
        yield None
        return
    async with endpoint_of(server).open_async(WORKER_OPTIONS) as channel:
        yield Relay(channel, credentials_for(server))


async def enrolled(server: str, worker: str) -> bytes:
    """Returns the key by which workers of the server's arena sign their results. `worker`: the name
    of this one. Raises ArenaError if the server refuses it."""
    metadata = (*credentials_for(server), (ENROLLING, worker))
    async with endpoint_of(server).open_async(WORKER_OPTIONS) as channel:
        enrol = LeagueServiceStub(channel).EnrolWorker

        async def ask() -> EnrolWorkerResponse:
            answer: EnrolWorkerResponse = await enrol(EnrolWorkerRequest(), metadata=metadata)
            return answer

        return (await _answered(server, ask)).signing_key


async def _check_admitted(fetch: Fetch, server: str) -> None:
    """Asks for no version in particular: an admitted worker learns that there is none."""

    async def ask() -> None:
        try:
            async for _ in fetch(""):
                return
        except grpc.aio.AioRpcError as error:
            if error.code() is not NO_SUCH_VERSION:
                raise

    await _answered(server, ask)


async def _answered(server: str, ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Asks again while waiting may help, as for an arena that is being started. Raises
    ArenaError."""
    began = monotonic()
    while True:
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await ask()
        except TimeoutError:
            raise ArenaError(Kind.UNREACHABLE, f"No arena answers at {server}.", "server") from None
        except grpc.aio.AioRpcError as error:
            _trouble(error, server).check(monotonic() - began)
        await asyncio.sleep(PAUSE_S)


def _trouble(error: grpc.aio.AioRpcError, server: str) -> Trouble:
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        return trouble_at(server)
    patience_s = PATIENCE_S if error.code() is BROKEN_OFF else 0.0
    return Trouble(error.details() or error.code().name, patience_s)
