"""Bots without processes, and jobs for them, for the tests of the worker."""

from __future__ import annotations

from collections.abc import Callable

from arena.bots.in_process import InProcessBot, InProcessChannel, choose_at_random
from arena.bots.interface import Listener, PendingDecision
from arena.queue.job import Clock, Entrant, Job
from sevens.bot.v1.match_pb2 import MatchStart
from sevens_games import load

ANN, BOB = "a" * 64, "b" * 64


class StandIn(InProcessBot):
    """Plays at random.

    `starts`: the starts of its matches.
    `stopped`: how often it was stopped.
    `frozen`: whether it is.
    """

    can_be_frozen = True
    frozen = False

    def __init__(self) -> None:
        super().__init__(choose_at_random)
        self.starts: list[MatchStart] = []
        self.stopped = 0
        self.seated = False

    def sit(self, match_id: str, listener: Listener) -> StandInLine:
        self.seated = True
        return StandInLine(self, listener)

    async def freeze(self) -> bool:
        self.frozen = self.can_be_frozen
        return self.frozen

    async def thaw(self) -> None:
        self.frozen = False

    async def stop(self, sentence: str) -> None:
        self.stopped += 1


class Thinker(StandIn):
    """Never answers."""

    def sit(self, match_id: str, listener: Listener) -> StandInLine:
        self.seated = True
        return ThinkersLine(self, listener)


class StandInLine(InProcessChannel):
    def __init__(self, bot: StandIn, listener: Listener) -> None:
        super().__init__(choose_at_random, listener)
        self.bot = bot

    def send_start(self, start: MatchStart) -> None:
        self.bot.starts.append(start)
        super().send_start(start)


class ThinkersLine(StandInLine):
    def __init__(self, bot: StandIn, listener: Listener, *, accepts: bool = True) -> None:
        super().__init__(bot, listener)
        self.accepts = accepts

    def send_start(self, start: MatchStart) -> None:
        if self.accepts:
            super().send_start(start)

    def ask(self, question: PendingDecision) -> None:
        pass


class Stable:
    """Starts stand-ins, and records them: (version, bot) in the order of their starts."""

    def __init__(self, kind: Callable[[], StandIn] = StandIn) -> None:
        self.kind = kind
        self.started: list[tuple[str, StandIn]] = []

    async def start(self, version: str) -> StandIn:
        bot = self.kind()
        self.started.append((version, bot))
        return bot

    @property
    def bots(self) -> list[StandIn]:
        return [bot for _, bot in self.started]


def new_job(
    job_id: str = "a",
    *,
    rules_version: int | None = None,
    game: str = "xeri",
    seatings: tuple[tuple[int, ...], ...] = ((0, 1),),
    versions: tuple[str, str] = (ANN, BOB),
) -> Job:
    """Returns a job of one short hand of Xeri."""
    return Job(
        job_id=job_id,
        competition="main",
        game=game,
        rules_version=load("xeri").rules_version if rules_version is None else rules_version,
        options={"deals": "1"},
        clock=Clock(bank_ms=60_000, increment_ms=200),
        entrants=tuple(
            Entrant(bot=bot, version=version)
            for bot, version in zip(("ann", "bob"), versions, strict=True)
        ),
        seatings=seatings,
        result_token=f"token of {job_id}",
    )
