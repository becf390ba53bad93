"""A worker's way to remote bots: the gateway of a server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena.bots.gateway import TRANSPORT_LIMIT_BYTES
from arena.bots.relayed import Relay
from arena.cli.calling import LOCAL, user_token, way_to

# That a server is gone is noticed while the referee waits, before it takes the bot to be late.
OPTIONS = (
    ("grpc.max_receive_message_length", TRANSPORT_LIMIT_BYTES),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)


@asynccontextmanager
async def relay_to(server: str) -> AsyncIterator[Relay | None]:
    """The way to the remote bots of a server, as long as the context lasts; none if there is no
    server."""
    if not server:
        yield None
        return
    async with way_to(server).open_async(OPTIONS) as channel:
        local = server.startswith(LOCAL)
        yield Relay(channel, () if local else (("authorization", f"Bearer {user_token()}"),))
