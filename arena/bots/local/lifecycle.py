"""The life of one process of a bot: from its start, through its streams, to the loss of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.local.output import Output
from arena.bots.process.process import Ending
from arena.bots.stream.connection import Connection
from arena.protocol.faults import FaultKind
from sevens.bot.v1.bot_service_pb2 import BotFrame

# What bubblewrap, and the leash, write when there is no such program as the bot's.
CANNOT_RUN = "execvp "
NEVER_RAN = " Perhaps the program does not call its SDK's `run` at the end."


@dataclass(frozen=True)
class Connected:
    """The bot said hello."""


@dataclass(frozen=True)
class Disconnected:
    """The bot's stream is over."""


@dataclass(frozen=True)
class Refused:
    """Another stream than the one in use was refused, or the first."""

    loss: BotLost


# A BotLost, such as for a broken limit, is final, and so are the others.
Event: TypeAlias = Connected | Disconnected | Refused | Ending | BotLost | ArenaFailure


class Owner(Protocol):
    """The bot whose process it is."""

    output: Output

    def connected(self, connection: Connection) -> None:
        """The bot said hello."""

    def heard(self, frame: BotFrame, at: float) -> None:
        """A frame came, at `at` seconds of `time.monotonic`."""

    def uses(self, memory_share: float) -> None:
        """The process was seen to use so much memory, as a share of its limit."""

    def away(self, loss: BotLost) -> None:
        """The process is there, but has no stream. It may come back."""


class Life:
    """Makes sense of what happens to one process. `greeted`: whether it has said hello.
    `ending_known_s`: see `Runner`."""

    def __init__(self, owner: Owner, start_grace: float, ending_known_s: float) -> None:
        self.greeted = False
        self.heard = owner.heard
        self.uses = owner.uses
        self._owner = owner
        self._born = owner.output.written
        self._start_grace = start_grace
        self._ending_known_s = ending_known_s
        self._events: asyncio.Queue[Event] = asyncio.Queue()

    # What happens.

    def connected(self, connection: Connection) -> None:
        self.greeted = True
        self._owner.connected(connection)
        self.tell(Connected())

    def disconnected(self) -> None:
        self.tell(Disconnected())

    def refused(self, loss: BotLost) -> None:
        self.tell(Refused(loss))

    def tell(self, event: Event) -> None:
        self._events.put_nowait(event)

    # What comes of it.

    async def loss(self) -> BotLost:
        """Waits until the process is of no more use, and returns why. Raises ArenaFailure if it
        never ran, and not for the bot's sake, or cannot be looked after any more."""
        loss = await self._greeting()
        while loss is None:
            loss = await self._stream()
        return loss

    async def _greeting(self) -> BotLost | None:
        """What comes of the first hello: None if it is good."""
        match await self._next(self._start_grace):
            case None:
                return self._never(f"did not say hello within {self._start_grace:g} seconds")
            case Ending(code=None) if CANNOT_RUN not in self._words():
                raise ArenaFailure(f"A bot's process could not be started.{self._words()}")
            case Ending(excess="") as ending:
                hint = NEVER_RAN if ending.code == 0 else ""
                return self._never(f"{ending} before it said hello", hint)
            case Ending() as ending:
                return self._crashed(ending)
            case Refused(loss) | (BotLost() as loss):
                return loss
            case _:
                return None

    async def _stream(self) -> BotLost | None:
        """What comes of a stream: None if another one followed it."""
        match await self._next(None):
            case Ending() as ending:
                return self._crashed(ending)
            case BotLost() as loss:
                return loss
            case Disconnected():
                return await self._absence()
            case _:  # a second stream was refused, which does not touch the first
                return None

    async def _absence(self) -> BotLost | None:
        """What comes of a process without a stream: None if it said hello again."""
        gone = BotLost(
            FaultKind.DISCONNECTED,
            "The bot's stream broke while its process went on: it hung up, or sent a frame so large"
            " that gRPC ended the stream.",
        )
        # Mostly the process is ending.
        event = await self._next(self._ending_known_s)
        if event is None:
            self._owner.away(gone)
            event = await self._next(self._start_grace)
        match event:
            case Ending() as ending:
                return self._crashed(ending)
            case Refused(loss) | (BotLost() as loss):
                return loss
            case None:
                return gone
            case _:
                return None

    async def _next(self, patience: float | None) -> Event | None:
        """The next event, or None if there is none for so many seconds. Raises ArenaFailure."""
        try:
            event = await asyncio.wait_for(self._events.get(), patience)
        except TimeoutError:
            return None
        if isinstance(event, ArenaFailure):
            raise event
        return event

    def _never(self, what: str, hint: str = "") -> BotLost:
        return BotLost(FaultKind.START_FAILED, f"The bot's process {what}.{hint}{self._words()}")

    def _crashed(self, ending: Ending) -> BotLost:
        if ending.excess:
            return BotLost(FaultKind.RESOURCE_LIMIT, ending.excess)
        return BotLost(FaultKind.CRASHED, f"The bot's process {ending}.{self._words()}")

    def _words(self) -> str:
        return self._owner.output.quote(self._born)
