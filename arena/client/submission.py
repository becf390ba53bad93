"""A submission that is watched, for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import IO

import grpc

from arena.client.grpc_channel import OPTIONS, credentials_for, endpoint_of, failed_call
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest, SubmitResponse

CHUNK_BYTES = 256 * 1024


async def watched_submission(
    address: str, acting: str, head: SubmitHead, archive: IO[bytes]
) -> AsyncGenerator[SubmitResponse]:
    """Submits an archive, and yields what happens. Closing the iterator withdraws the submission.

    `address`: of the arena by gRPC.
    `acting`: the id of the token in whose bearer's name it is made. Raises ArenaError.
    """
    metadata = credentials_for(address, acting)
    with endpoint_of(address).open(OPTIONS) as channel:
        # Not by grpc.aio, which loses the status of a call that is refused while it sends.
        call = LeagueServiceStub(channel).Submit(_requests(head, archive), metadata=metadata)
        try:
            while (event := await asyncio.to_thread(next, call, None)) is not None:
                yield event
        except grpc.RpcError as error:
            raise failed_call(address, error) from None
        finally:
            call.cancel()


def _requests(head: SubmitHead, archive: IO[bytes]) -> Iterator[SubmitRequest]:
    yield SubmitRequest(head=head)
    while chunk := archive.read(CHUNK_BYTES):
        yield SubmitRequest(chunk=chunk)
