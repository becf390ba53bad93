"""A bot that its author starts, in a debugger for instance, and may stop and start again at any
time. It dials in on a Unix socket of its own."""

from __future__ import annotations

import asyncio
import hmac
import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Self

import grpc.aio

from arena.bots.interface import BotLost, Listener
from arena.bots.remote.remote_bot import RemoteChannel
from arena.bots.remote.remote_gateway import Admitted, NotAdmitted, RemoteBounds, RemoteGateway
from arena.bots.sockets import private_folder
from arena.bots.source import try_to_remove
from arena.bots.stream import SOCKET

# A program at a breakpoint is not away.
BOUNDS = RemoteBounds(bots=1, grace_s=math.inf)
GOODBYE_S = 2.0


class AwaitedBot:
    """The seat of one bot, for as long as its context lasts.

    `changed`: called with True when a program connects, and with False when it leaves.
    """

    matches_at_once = 1
    memory_share = 0.0
    memory_bytes = 0
    losses: Sequence[BotLost] = ()

    def __init__(self, name: str, changed: Callable[[bool], None]) -> None:
        self._name = name
        self._token = secrets.token_urlsafe(24)
        self._folder = private_folder()
        self._changed = changed
        self._gone = asyncio.Event()
        self._closing = False
        self._gateway = RemoteGateway(self._admit, self._noticed, BOUNDS)
        self._bot = self._gateway.bot(name)

    async def __aenter__(self) -> Self:
        self._server = grpc.aio.server()
        self._gateway.add_to(self._server)
        self._server.add_insecure_port(self.environment["ARENA_ADDRESS"])
        await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop("The arena is closing.")
        await self._server.stop(grace=None)
        try_to_remove(self._folder)

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables with which the program has to be started."""
        return {"ARENA_ADDRESS": f"unix:{self._folder / SOCKET}", "ARENA_TOKEN": self._token}

    def sit(self, match_id: str, listener: Listener) -> RemoteChannel:
        return self._bot.sit(match_id, listener)

    async def ready(self) -> BotLost | None:
        """Waits until a program has dialled in."""
        await self._bot.has_room()
        return None

    async def freeze(self) -> bool:
        return False

    async def thaw(self) -> None:
        """It is never frozen."""

    async def stop(self, sentence: str) -> None:
        """Says goodbye to the program, which may not be connected."""
        self._closing = True
        if self._bot.connection is not None:
            self._bot.connection.say_goodbye(sentence)
            with suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_S):
                    await self._gone.wait()

    def _noticed(self, _: str, connected: bool) -> None:
        if connected:
            self._gone.clear()
        else:
            self._gone.set()
        if not self._closing:
            self._changed(connected)

    async def _admit(self, token: str) -> Admitted:
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            raise NotAdmitted("The bot's token is wrong; the right one is in ARENA_TOKEN.")
        return Admitted(self._name)
