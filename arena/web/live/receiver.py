"""The pages' connection to the Redis of the arena that runs on their data folder."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

from arena.errors import ArenaError
from arena.queue import Broadcast, BroadcastFailed, Seen, read_key
from arena.store.data_folder import DataFolder

NOT_RUNNING = "No arena runs on this data folder at present, so no match is in play."


class NotOnAir(Exception):
    """Matches in play cannot be seen at the moment. Its text is the reason, for visitors."""


class Receiver:
    """Receives matches in play. `folder`: the data folder of the arena."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._broadcast: Broadcast | None = None

    async def watch(self, job: str) -> Seen | None:
        """Returns the present state of a job's match, and keeps it broadcast for some seconds; None
        if it is not (yet). Raises NotOnAir."""
        broadcast = await self._received()
        try:
            return await broadcast.watch(job)
        except BroadcastFailed:
            raise NotOnAir("The arena's queue does not answer; try again in a minute.") from None

    async def in_play(self) -> set[str]:
        """Returns the jobs that workers play. Raises NotOnAir."""
        broadcast = await self._received()
        try:
            return await broadcast.in_play()
        except BroadcastFailed:
            raise NotOnAir("The arena's queue does not answer; try again in a minute.") from None

    async def close(self) -> None:
        """Ends the connection."""
        broadcast, self._broadcast = self._broadcast, None
        if broadcast is not None:
            await broadcast.close()

    async def _received(self) -> Broadcast:
        """Returns the broadcast of the arena that runs now."""
        holder = await asyncio.to_thread(self._folder.holder)
        if holder is None or not holder.redis:
            raise NotOnAir(NOT_RUNNING)
        if self._broadcast is None or self._broadcast.url != holder.redis:
            await self.close()
            try:
                key = await asyncio.to_thread(read_key, self._folder.queue_key)
                self._broadcast = Broadcast(holder.redis, key)
            except ArenaError:
                raise NotOnAir("The pages cannot read the arena's queue.") from None
        return self._broadcast


def receiver_of(request: Request) -> Receiver:
    """Returns the receiver of the process that answers a request."""
    receiver = request.app.state.receiver
    assert isinstance(receiver, Receiver)
    return receiver
