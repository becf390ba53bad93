"""The bots of one match: processes from the pool, and remote bots through the relay."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack

from arena.bots import MachineFailure, RunningBot
from arena.bots.remote import BotAway, Relay
from arena.queue import Entrant
from arena.worker.process_pool import Borrowed, Pool


class Unplayable(Exception):
    """A job that no attempt can play. The text gives the reason."""


class Lender:
    """Lends bots for a match. `relay`: reaches remote bots; None if this worker cannot."""

    def __init__(self, pool: Pool, relay: Relay | None) -> None:
        self._pool = pool
        self._relay = relay

    async def lend_all(
        self, entrants: Sequence[Entrant], match_id: str, lent: AsyncExitStack, *, fresh: bool
    ) -> list[Borrowed[RunningBot]]:
        """Returns the bots at the seats, which run until the stack is closed. Raises Unplayable and
        ArenaFailure.

        Remote bots come first, in the order of their names: two matches that wait for each other's
        bots would wait for ever.
        """
        remote = {
            entrant.bot: await self._remote(entrant, match_id, lent)
            for entrant in sorted(entrants, key=lambda entrant: entrant.bot)
            if entrant.remote
        }
        return [
            remote[entrant.bot]
            if entrant.remote
            else await lent.enter_async_context(self._pool.lend(entrant.version, fresh=fresh))
            for entrant in entrants
        ]

    async def _remote(
        self, entrant: Entrant, match_id: str, lent: AsyncExitStack
    ) -> Borrowed[RunningBot]:
        if self._relay is None:
            raise MachineFailure(
                f"{entrant.bot} is a remote bot, which this worker cannot reach: start the"
                " worker with --server."
            )
        try:
            bot = await lent.enter_async_context(self._relay.seat(entrant.bot, match_id))
        except BotAway as away:
            raise Unplayable(str(away)) from away
        return Borrowed(bot, entrant.version)
