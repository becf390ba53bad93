"""The life of one instance of a bot: its start, its streams, its loss."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.local.captured_output import Output
from arena.bots.local.known_causes import explained
from arena.bots.local.runner import CANNOT_RUN, Ending
from arena.bots.stream import Connection
from arena.clock import monotonic
from arena.protocol import FaultKind
from sevens.bot.v1.bot_service_pb2 import BotFrame

# A start on an overloaded machine may take this much longer, in seconds, as the bot waits for a
# processor. A bound, as a bot can make its own threads wait for one another.
MOST_STARVED_S = 60.0
# The time, in seconds, after the end of a stream within which the end of the program is known, on a
# busy machine: a program needs a moment to end, and a container's engine has to be asked.
ENDING_KNOWN_S = 5.0
NEVER_RAN = " Perhaps the program does not call its SDK's `run` at the end."


@dataclass(frozen=True)
class Connected:
    """The bot said hello."""


@dataclass(frozen=True)
class Disconnected:
    """The bot's stream has ended."""


@dataclass(frozen=True)
class Refused:
    """A stream was refused: the first one, or another than the one in use."""

    loss: BotLost


# A BotLost, such as for a broken limit, is final, and so are the types after it.
Event: TypeAlias = Connected | Disconnected | Refused | BotLost | Ending | ArenaFailure


class Observer(Protocol):
    """The bot whose instance it is."""

    output: Output

    def connected(self, connection: Connection) -> None:
        """The bot said hello."""

    def heard(self, frame: BotFrame, at: float) -> None:
        """A frame arrived, at `at` seconds of `arena.clock`."""

    def uses(self, memory_share: float) -> None:
        """The instance was seen to use that share of its memory limit."""

    def away(self, loss: BotLost) -> None:
        """The instance runs, but has no stream. It may come back."""


class Lifecycle:
    """Decides from the events of one instance when it is lost, and why.

    `start_grace`: how many seconds the instance may take to say hello.
    `greeted`: whether it has said hello.
    `starved_s`: how many seconds of its start are excused, as it waited for a processor.
    """

    def __init__(self, observer: Observer, start_grace: float) -> None:
        self.greeted = False
        self.starved_s = 0.0
        self.heard = observer.heard
        self._observer = observer
        self._born = observer.output.written
        self._start_grace = start_grace
        self._events: asyncio.Queue[Event] = asyncio.Queue()

    # Called by the gateway and the runner.

    def connected(self, connection: Connection) -> None:
        self.greeted = True
        self._observer.connected(connection)
        self.report(Connected())

    def uses(self, memory_share: float, waited_s: float) -> None:
        self._observer.uses(memory_share)
        if not self.greeted:
            self.starved_s = min(waited_s, MOST_STARVED_S)

    def disconnected(self) -> None:
        self.report(Disconnected())

    def refused(self, loss: BotLost) -> None:
        self.report(Refused(loss))

    def report(self, event: Event) -> None:
        self._events.put_nowait(event)

    # Called by the bot.

    async def loss(self) -> BotLost:
        """Waits until the instance is of no more use, and returns why. Raises ArenaFailure if it
        never ran, through no fault of the bot, or can no longer be managed."""
        loss = await self._greeting()
        while loss is None:
            loss = await self._stream()
        return loss

    async def _greeting(self) -> BotLost | None:
        """Waits for the first hello; returns why there was no good one, or None."""
        match await self._first():
            case None:
                return self._start_failed(f"did not say hello within {self._start_grace:g} seconds")
            case Ending(code=None) if CANNOT_RUN not in self._quote():
                raise ArenaFailure(f"A bot's process could not be started.{self._quote()}")
            case Ending(excess="") as ending:
                hint = NEVER_RAN if ending.code == 0 else ""
                return self._start_failed(f"{ending} before it said hello", hint)
            case Ending() as ending:
                return self._crashed(ending)
            case Refused(loss) | (BotLost() as loss):
                return loss
            case _:
                return None

    async def _stream(self) -> BotLost | None:
        """Waits for the end of a stream; returns the loss, or None if another stream followed."""
        match await self._next(None):
            case Ending() as ending:
                return self._crashed(ending)
            case BotLost() as loss:
                return loss
            case Disconnected():
                return await self._absence()
            case _:  # a second stream was refused, which does not affect the first
                return None

    async def _absence(self) -> BotLost | None:
        """Waits for an instance without a stream; returns the loss, or None if it said hello
        again."""
        disconnected = BotLost(
            FaultKind.DISCONNECTED,
            "The bot's stream broke while its process went on: it hung up, or sent a frame so large"
            " that gRPC ended the stream.",
        )
        # Usually the process is ending.
        event = await self._next(ENDING_KNOWN_S)
        if event is None:
            self._observer.away(disconnected)
            event = await self._next(self._start_grace)
        match event:
            case Ending() as ending:
                return self._crashed(ending)
            case Refused(loss) | (BotLost() as loss):
                return loss
            case None:
                return disconnected
            case _:
                return None

    async def _first(self) -> Event | None:
        """Returns the first event; None if the time for a start passes first."""
        started = monotonic()
        event = None
        while (
            event is None
            and (left := started + self._start_grace + self.starved_s - monotonic()) > 0
        ):
            event = await self._next(left)
        return event

    async def _next(self, patience: float | None) -> Event | None:
        """Returns the next event; None if `patience` seconds pass first. Raises ArenaFailure."""
        try:
            async with asyncio.timeout(patience):
                event = await self._events.get()
        except TimeoutError:
            return None
        if isinstance(event, ArenaFailure):
            raise event
        return event

    def _start_failed(self, problem: str, hint: str = "") -> BotLost:
        sentence = f"The bot's process {problem}.{explained(self._quote()) or hint}"
        return BotLost(FaultKind.START_FAILED, sentence, self._quote().strip())

    def _crashed(self, ending: Ending) -> BotLost:
        if ending.excess:
            return BotLost(FaultKind.RESOURCE_LIMIT, ending.excess)
        quote = self._quote()
        sentence = f"The bot's process {ending}.{explained(quote)}"
        return BotLost(FaultKind.CRASHED, sentence, quote.strip())

    def _quote(self) -> str:
        return self._observer.output.quote(self._born)
