"""Where a worker has bot versions from: a folder of this machine, or the league's server."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio

from arena.bots.interface import ArenaFailure
from arena.bots.source.program import Runnable, UnknownBot, find_version
from arena.client.channel import WORKER_OPTIONS, endpoint_of, user_token
from arena.client.errors import CommandError, Exit
from arena.worker.version_cache import Fetch, FetchedVersions
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.version_pb2 import FetchVersionRequest, FetchVersionResponse

CONNECT_S = 10.0
KNOWN = grpc.StatusCode.NOT_FOUND

Find = Callable[[str], Awaitable[Runnable]]
"""Returns the version of that digest, as it is to be run. Raises ArenaFailure."""


@asynccontextmanager
async def in_folder(versions: Path) -> AsyncIterator[Find]:
    """Versions that lie in a folder of this machine."""

    async def find(version: str) -> Runnable:
        try:
            return find_version(versions, version)
        except UnknownBot as error:
            raise ArenaFailure(f"The bot version {version} is not usable: {error}") from None

    yield find


@asynccontextmanager
async def on_server(
    server: str,
    keep_mb: int,
    in_use: Callable[[], Collection[str]],
    turned_away: Callable[[str], None],
) -> AsyncIterator[Find]:
    """Versions that a server has; those fetched are kept as long as the context lasts, so much of
    them and what is in use. A server that does not let this worker in ends the command."""
    token, channel = user_token(), endpoint_of(server).open_async(WORKER_OPTIONS)
    stub = LeagueServiceStub(channel)

    def fetch(version: str) -> AsyncIterator[FetchVersionResponse]:
        metadata = (("authorization", f"Bearer {token}"),)
        request = FetchVersionRequest(version=version)
        answer: AsyncIterator[FetchVersionResponse] = stub.FetchVersion(request, metadata=metadata)
        return answer

    async with channel:
        await _try(fetch, server)
        with tempfile.TemporaryDirectory(prefix="versions-") as place:
            kept = FetchedVersions(fetch, Path(place), keep_mb << 20, in_use, turned_away)
            yield kept.find


async def _try(fetch: Fetch, server: str) -> None:
    """Asks for no version in particular: who is let in is told that there is none."""
    try:
        async with asyncio.timeout(CONNECT_S):
            async for _ in fetch(""):
                return
    except TimeoutError:
        sentence = f"No arena answers at {server}."
        raise CommandError(sentence, "server", Exit.UNREACHABLE) from None
    except grpc.aio.AioRpcError as error:
        if error.code() is KNOWN:
            return
        sentence = error.details() or error.code().name
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            sentence = f"No arena answers at {server}: {sentence}."
        raise CommandError(sentence, "server", Exit.UNREACHABLE) from None
