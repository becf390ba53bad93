"""An archive arrives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import IO

import grpc

from arena.bots.source.archive import PACKED_LIMIT_BYTES
from arena.server.errors import Refusal, wrong
from arena.server.limits import Bounds
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest

Requests = AsyncIterator[SubmitRequest]


async def receive_head(requests: Requests, bounds: Bounds) -> SubmitHead:
    """What is to be submitted. Raises Refusal."""
    first = await _next(requests, bounds)
    if first is None or first.WhichOneof("part") != "head":
        raise wrong("A submission begins with its head.", "head")
    if first.head.archive_bytes > PACKED_LIMIT_BYTES:
        raise wrong(
            f"The archive has {first.head.archive_bytes:,} bytes; at most {PACKED_LIMIT_BYTES:,}"
            " are taken. Leave out what the bot does not need to run.",
            "archive_bytes",
        )
    return first.head


async def receive_archive(
    requests: Requests, head: SubmitHead, file: IO[bytes], bounds: Bounds
) -> None:
    """Writes the archive to a file as it comes. Raises Refusal."""
    size = 0
    try:
        async with asyncio.timeout(bounds.upload_s):
            while (request := await _next(requests, bounds)) is not None:
                if request.WhichOneof("part") != "chunk":
                    raise wrong("A submission has one head, and then only chunks.", "head")
                size += len(request.chunk)
                if size > head.archive_bytes:
                    break
                file.write(request.chunk)
    except TimeoutError:
        raise _too_slow(f"did not arrive within {bounds.upload_s:g} seconds") from None
    if size != head.archive_bytes:
        more = "more" if size > head.archive_bytes else f"{size:,}"
        raise wrong(
            f"The archive was to have {head.archive_bytes:,} bytes, and {more} came.", "chunk"
        )


async def _next(requests: Requests, bounds: Bounds) -> SubmitRequest | None:
    """The next request; None when the caller has ended its side."""
    try:
        async with asyncio.timeout(bounds.silence_s):
            return await anext(requests, None)
    except TimeoutError:
        raise _too_slow(f"paused for more than {bounds.silence_s:g} seconds") from None


def _too_slow(what: str) -> Refusal:
    return Refusal(grpc.StatusCode.DEADLINE_EXCEEDED, f"The submission {what}; try again.")
