"""The one small interface between the referee of a match and a bot, however the bot is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.protocol.faults import FaultKind
from sevens.bot.v1.bot_service_pb2 import ArenaFrame
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart


class ArenaFailure(Exception):
    """The arena itself failed (no sandbox, full disk, lost gateway): nobody's fault, and the job is
    given back. Its text is a sentence for the operator."""


class MachineFailure(ArenaFailure):
    """This machine cannot get or start a bot just now (no engine, a server that is away); another
    may, or this one later. Nothing of the bot has run."""


@dataclass(frozen=True)
class BotLost:
    """A bot was lost: why, and what happened in a sentence (the end of its stderr quoted)."""

    kind: FaultKind
    sentence: str


@dataclass(slots=True, eq=False)
class PendingDecision:
    """A decision on its way to a bot.

    `frame`: the bytes of an ArenaFrame that holds it and nothing else. `sent_at`: when the frame
    in which it travels was first handed to the transport, in seconds of `time.monotonic`; None
    before that. Whoever sends it sets it, once.
    """

    frame: bytes
    sent_at: float | None = None

    @classmethod
    def of(cls, decision: Decision) -> PendingDecision:
        """The question that asks for a decision."""
        return cls(ArenaFrame(decisions=[decision]).SerializeToString())

    @property
    def decision(self) -> Decision:
        """The decision asked for, parsed anew each time."""
        return ArenaFrame.FromString(self.frame).decisions[0]


class Listener(Protocol):
    """What one seat of a match hears of its bot. Called from the event loop; must not block."""

    def accepted(self, nonce: bytes) -> None:
        """The bot took up the match (again, after `restored`)."""

    def answered(self, answer: Answer, at: float) -> None:
        """The bot answered; `at` is when the frame arrived, in seconds of `time.monotonic`. The
        answer may be stale, repeated or wrong: that is for the listener to see."""

    def lost(self, loss: BotLost) -> None:
        """The bot is gone: what it owes to this seat is a fault."""

    def restored(self) -> None:
        """The bot is back, or a fresh process in its place: it knows nothing of the match."""


class SeatChannel(Protocol):
    """One seat's way to its bot, for one match. Nothing here blocks, or raises for what a bot
    does."""

    def send_start(self, start: MatchStart) -> None:
        """Tells the bot that the match begins, or goes on."""

    def ask(self, question: PendingDecision) -> None:
        """Sends a decision. While the bot is away nothing happens: after `restored` the referee
        sends again what is owed."""

    def send_end(self, end: MatchEnd) -> None:
        """Tells the bot that the match is over, and closes the line."""

    def close(self) -> None:
        """Closes the line: nothing more is sent or heard. Harmless when already closed."""

    def stderr(self) -> str:
        """What the bot's process has written to its stderr while the line was open, bounded."""


class RunningBot(Protocol):
    """A bot that runs, or is about to."""

    def sit(self, match_id: str, listener: Listener) -> SeatChannel:
        """Opens a line for one seat of a match."""
