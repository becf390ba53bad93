"""A submission that is watched, for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import IO

import grpc.aio

from arena.client.channel import OPTIONS, credentials_for, endpoint_of, failed_call
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest, SubmitWatchedResponse

CHUNK_BYTES = 256 * 1024


async def watched_submission(
    server: str, acting: str, head: SubmitHead, archive: IO[bytes]
) -> AsyncGenerator[SubmitWatchedResponse]:
    """Submits an archive, and yields what happens. Closing the iterator withdraws the submission.

    `acting`: the id of the token in whose bearer's name it is made. Raises ArenaError.
    """
    metadata = credentials_for(server, acting)
    async with endpoint_of(server).open_async(OPTIONS) as channel:
        stub = LeagueServiceStub(channel)
        call = stub.SubmitWatched(_requests(head, archive), metadata=metadata)
        try:
            async for event in call:
                yield event
        except grpc.aio.AioRpcError as error:
            raise failed_call(server, error) from None
        finally:
            call.cancel()


async def _requests(head: SubmitHead, archive: IO[bytes]) -> AsyncIterator[SubmitRequest]:
    yield SubmitRequest(head=head)
    while chunk := await asyncio.to_thread(archive.read, CHUNK_BYTES):
        yield SubmitRequest(chunk=chunk)
