"""The program of a person's seat: it dials in to the arena as a remote bot does, and lets the page
choose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from arena.web.tables.transcript import Transcript
from sevens_sdk import Bot, Decision, MatchEnd
from sevens_sdk.aio import play
from sevens_sdk.connection import Place, Unreachable
from sevens_sdk.leaving import Leaving
from sevens_sdk.session import Refused, Session

PAUSE_S = 0.5
LEFT = "You have left the table, and the arena plays on for you."


class NotOwed(Exception):
    """An answer that is not awaited. Its text is a sentence for the person who gave it."""


class Seat:
    """A person's seat, until its match is over or the person leaves.

    `arena`: returns the address of the running arena; empty while none runs.
    `key`: the seat's secret.
    """

    def __init__(self, arena: Callable[[], str], key: str) -> None:
        self.transcript = Transcript()
        self._arena = arena
        self._key = key
        self._playing = asyncio.create_task(self._play())

    def answer(self, number: int, index: int) -> None:
        """Answers the decision of that number by the index of an action. Raises NotOwed."""
        owed = self.transcript.owed
        if owed is None or owed.number != number:
            raise NotOwed("That decision is over; this is the table now.")
        if not 0 <= index < len(owed.legal_actions):
            raise NotOwed("There is no such action; choose one of those below.")
        self.transcript.answer(number, index)

    def leave(self) -> None:
        """Leaves the table for good."""
        if not self.transcript.over:
            self.transcript.break_off(LEFT)
        self._playing.cancel()

    async def _play(self) -> None:
        """Plays as a remote bot does, until the match is over."""
        while not self.transcript.over:
            address = await asyncio.to_thread(self._arena)
            if address:
                await self._play_at(address)
            if not self.transcript.over:
                await asyncio.sleep(PAUSE_S)

    async def _play_at(self, address: str) -> None:
        """Plays at one address, until the arena there says goodbye or can no longer be reached."""

        class Player(Bot):
            def on_start(self) -> None:
                transcript.begin(self.match)

            async def choose(self, decision: Decision) -> int:
                return await transcript.choice(decision.message)

            def on_end(self, end: MatchEnd) -> None:
                transcript.finish(end)
                # It says no word: a bot that leaves is gone for good, and the person may return.
                playing.cancel()

        transcript, playing = self.transcript, self._playing
        session = Session(Player, token=self._key)
        try:
            await play(session, Place(address), Leaving(session))  # signals are not a seat's affair
        except Refused as refused:
            transcript.break_off(str(refused))
        except Unreachable:
            pass  # the next arena may have another address
