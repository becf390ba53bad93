"""A worker's way to remote bots: the gateway of a server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena.bots.remote.relay import Relay
from arena.client.channel import LOCAL, WORKER_OPTIONS, endpoint_of, user_token


@asynccontextmanager
async def relay_to(server: str) -> AsyncIterator[Relay | None]:
    """The way to the remote bots of a server, as long as the context lasts; none if there is no
    server."""
    if not server:
        yield None
        return
    async with endpoint_of(server).open_async(WORKER_OPTIONS) as channel:
        local = server.startswith(LOCAL)
        yield Relay(channel, () if local else (("authorization", f"Bearer {user_token()}"),))
