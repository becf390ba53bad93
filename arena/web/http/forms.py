"""Bodies and forms of requests, bounded in size and time before they are read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from urllib.parse import parse_qs

from starlette.requests import Request

from arena.errors import ArenaError, Kind

LONGEST_FORM = 4_000  # bytes
BODY_S = 20.0


async def read_form(request: Request, most: int = LONGEST_FORM) -> dict[str, str]:
    """Returns the fields of a form without files, of at most so many bytes, each with its first
    value. Raises ArenaError."""
    text = (await read_body(request, most, "The form is too long.")).decode(errors="replace")
    return {name: values[0] for name, values in parse_qs(text).items()}


async def read_body(request: Request, most: int, sentence: str) -> bytes:
    """Returns a request's body. Raises ArenaError as `bounded` does, or if it takes too long."""
    parts = bounded(request, most, sentence)
    try:
        async with asyncio.timeout(BODY_S):
            return b"".join([part async for part in parts])
    except TimeoutError:
        raise ArenaError(
            Kind.TOO_SLOW,
            f"The body of the request did not arrive within {BODY_S:g} seconds.",
            "body",
        ) from None


async def bounded(request: Request, most: int, sentence: str) -> AsyncGenerator[bytes]:
    """Yields a request's body. Raises ArenaError with this sentence once it is longer than `most`
    bytes, or says that it will be."""
    announced = request.headers.get("content-length", "0")
    size = int(announced) if announced.isdecimal() else 0
    if size > most:
        raise ArenaError(Kind.TOO_LARGE, sentence, "body")
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise ArenaError(Kind.TOO_LARGE, sentence, "body")
        yield part


def own_address(address: str) -> str:
    """Returns an address to go back to if it is one of this site, else that of the home page."""
    # "//host" and "/\host" would lead to another site.
    is_own = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_own and address.isprintable() else "/"
