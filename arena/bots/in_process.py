"""Bots that are part of the arena, and play inside its process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeAlias

from arena.bots.interface import BotLost, Listener, PendingDecision
from arena.clock import monotonic
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart

# Returns the index of a legal action. Called from the event loop; must not block.
Choose: TypeAlias = Callable[[MatchStart, Decision], int]


def choose_at_random(start: MatchStart, decision: Decision) -> int:
    """Returns a random choice, seeded as in the SDKs by the seat's seed and the decision's
    number."""
    random = Random(start.seed + decision.number.to_bytes(4, "big"))
    return random.randrange(len(decision.legal_actions))


BUILTINS: Mapping[str, Choose] = {"random": choose_at_random}


class InProcessBot:
    """A bot that is a function. It is always ready, and takes any number of matches at once."""

    matches_at_once = 1_000_000
    memory_share = 0.0
    memory_bytes = 0
    losses: Sequence[BotLost] = ()

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def sit(self, match_id: str, listener: Listener) -> InProcessChannel:
        return InProcessChannel(self._choose, listener)

    async def ready(self) -> BotLost | None:
        return None

    async def freeze(self) -> bool:
        return True  # it runs only when it is asked

    async def thaw(self) -> None:
        """There is nothing to thaw."""

    async def stop(self, sentence: str) -> None:
        """There is nothing to stop."""


class InProcessChannel:
    """The channel to a function. Like a channel to a process, it calls its listener from the event
    loop only, never while the listener is calling it."""

    handled_s = 0.0
    starved_s = 0.0

    def __init__(self, choose: Choose, listener: Listener) -> None:
        self._choose = choose
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._start = MatchStart()
        self._open = True

    def send_start(self, start: MatchStart) -> None:
        self._start = start
        self._loop.call_soon(self._accept)

    def ask(self, pending: PendingDecision) -> None:
        if pending.sent_at is None:
            pending.sent_at = monotonic()
        self._loop.call_soon(self._answer, pending.decision)

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
