"""A seat without a referee: records the events of its bot, so that a test can wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from arena.bots.host import Bot
from arena.bots.interface import BotLost, PendingDecision, SeatChannel
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchStart
from tests.support.patience import PATIENCE_S

T = TypeVar("T")

SEED = bytes(range(32))


@dataclass
class Heard:
    """The events of a seat, in order."""

    accepted: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    answered: asyncio.Queue[tuple[Answer, float]] = field(default_factory=asyncio.Queue)
    lost: asyncio.Queue[BotLost] = field(default_factory=asyncio.Queue)
    restored: asyncio.Queue[None] = field(default_factory=asyncio.Queue)


class Seat:
    """A seat in one match of a bot."""

    def __init__(self, bot: Bot, match_id: str, game: str = "xeri") -> None:
        self.match_id = match_id
        self.game = game
        self.number = 0
        self.heard = Heard()
        self.channel: SeatChannel = bot.sit(match_id, self)
        self.send_start()

    def send_start(self, *, resumed: bool = False) -> None:
        start = MatchStart(
            match_id=self.match_id, game=self.game, teams=[0, 1], seed=SEED, resumed=resumed
        )
        self.channel.send_start(start)

    def ask(self, *legal: str) -> PendingDecision:
        """Asks for a decision; a puppet does what the first legal action says."""
        self.number += 1
        decision = Decision(match_id=self.match_id, number=self.number, legal_actions=legal)
        pending = PendingDecision.of(decision)
        self.channel.ask(pending)
        return pending

    # Called by the channel.

    def accepted(self, nonce: bytes) -> None:
        self.heard.accepted.put_nowait(nonce)

    def answered(self, answer: Answer, at: float) -> None:
        self.heard.answered.put_nowait((answer, at))

    def lost(self, loss: BotLost) -> None:
        self.heard.lost.put_nowait(loss)

    def restored(self) -> None:
        self.heard.restored.put_nowait(None)

    # Called by tests.

    async def acceptance(self) -> bytes:
        return await within(self.heard.accepted.get())

    async def answer(self) -> Answer:
        return (await within(self.heard.answered.get()))[0]

    async def loss(self) -> BotLost:
        return await within(self.heard.lost.get())

    async def restoration(self) -> None:
        return await within(self.heard.restored.get())

    async def answer_to(self, *legal: str) -> Answer:
        self.ask(*legal)
        return await self.answer()

    async def told(self, command: str) -> str:
        """Returns the text of a puppet's answer."""
        return (await self.answer_to(command)).text


async def until(holds: Callable[[], object]) -> None:
    """Polls until a condition holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


async def within(awaitable: Awaitable[T]) -> T:
    return await asyncio.wait_for(awaitable, PATIENCE_S)
