"""The upload of a submission: its head, then its archive in chunks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import IO

from arena.bots.source import PACKED_LIMIT_BYTES
from arena.errors import ArenaError, Kind
from arena.server.limits import ServerLimits
from arena.server.requests import check_texts
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest

Requests = AsyncIterator[SubmitRequest]


async def receive_head(requests: Requests, limits: ServerLimits) -> SubmitHead:
    """Reads the head of a submission. Raises ArenaError."""
    first = await _next(requests, limits)
    if first is None or first.WhichOneof("part") != "head":
        raise ArenaError(Kind.WRONG_INPUT, "A submission begins with its head.", "head")
    check_texts(first.head)
    if first.head.archive_bytes > PACKED_LIMIT_BYTES:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The archive has {first.head.archive_bytes:,} bytes; the limit is"
            f" {PACKED_LIMIT_BYTES:,}. Leave out files that the bot does not need to run.",
            "archive_bytes",
        )
    return first.head


async def receive_archive(
    requests: Requests, head: SubmitHead, file: IO[bytes], limits: ServerLimits
) -> None:
    """Writes the archive to a file as it arrives. Raises ArenaError."""
    size = 0
    try:
        async with asyncio.timeout(limits.upload_s):
            while (request := await _next(requests, limits)) is not None:
                if request.WhichOneof("part") != "chunk":
                    raise ArenaError(
                        Kind.WRONG_INPUT, "A submission has one head, and then only chunks.", "head"
                    )
                size += len(request.chunk)
                if size > head.archive_bytes:
                    break
                file.write(request.chunk)
    except TimeoutError:
        raise _too_slow(f"did not arrive within {limits.upload_s:g} seconds") from None
    if size != head.archive_bytes:
        more = "more" if size > head.archive_bytes else f"{size:,}"
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The head announced an archive of {head.archive_bytes:,} bytes, but {more} arrived.",
            "chunk",
        )


async def _next(requests: Requests, limits: ServerLimits) -> SubmitRequest | None:
    """Returns the next request; None if the caller has sent the last one."""
    try:
        async with asyncio.timeout(limits.silence_s):
            return await anext(requests, None)
    except TimeoutError:
        raise _too_slow(f"paused for more than {limits.silence_s:g} seconds") from None


def _too_slow(what: str) -> ArenaError:
    return ArenaError(Kind.TOO_SLOW, f"The submission {what}; try again.")
