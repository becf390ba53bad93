"""Bots that are part of the arena, and play inside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import Random
from time import monotonic
from typing import TypeAlias

from arena.bots.interface import BotLost, Listener, PendingDecision
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart

# Chooses a legal action by its index; it is asked from the event loop, and must not block.
Choose: TypeAlias = Callable[[MatchStart, Decision], int]


def choose_at_random(start: MatchStart, decision: Decision) -> int:
    """Draws from the seat's seed and the number of the decision, as the SDKs do."""
    random = Random(start.seed + decision.number.to_bytes(4, "big"))
    return random.randrange(len(decision.legal_actions))


BUILTINS: Mapping[str, Choose] = {"random": choose_at_random}


class InProcessBot:
    """A bot that is a function. It is always there, and takes any number of matches at once."""

    matches_at_once = 1_000_000
    memory_share = 0.0
    losses: Sequence[BotLost] = ()

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def sit(self, match_id: str, listener: Listener) -> InProcessChannel:
        return InProcessChannel(self._choose, listener)

    async def ready(self) -> BotLost | None:
        return None

    async def stop(self, sentence: str) -> None:
        """Nothing is left running."""


class InProcessChannel:
    """A seat's way to a function. It speaks to its listener only from the event loop, as a bot
    would that is far away, and never while it is spoken to."""

    def __init__(self, choose: Choose, listener: Listener) -> None:
        self._choose = choose
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._start = MatchStart()
        self._open = True

    def send_start(self, start: MatchStart) -> None:
        self._start = start
        self._loop.call_soon(self._accept)

    def ask(self, question: PendingDecision) -> None:
        if question.sent_at is None:
            question.sent_at = monotonic()
        self._loop.call_soon(self._answer, question.decision)

    def send_end(self, end: MatchEnd) -> None:
        self.close()

    def close(self) -> None:
        self._open = False

    def stderr(self) -> str:
        return ""

    def _accept(self) -> None:
        if self._open:
            self._listener.accepted(b"")

    def _answer(self, decision: Decision) -> None:
        if self._open:
            index = self._choose(self._start, decision)
            answer = Answer(match_id=decision.match_id, number=decision.number, index=index)
            self._listener.answered(answer, monotonic())
