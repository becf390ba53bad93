"""The interface between the referee of a match and a bot, however the bot is reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from arena.clock import monotonic
from arena.foreign_text import SENTENCE_LIMIT_BYTES, WORDS_LIMIT_BYTES, beginning, visible
from arena.protocol import FaultKind
from sevens.bot.v1.bot_service_pb2 import ArenaFrame
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart


class ArenaFailure(Exception):
    """The arena itself failed (no sandbox, full disk, lost gateway). No bot is at fault; the job is
    given back. Its text is a sentence for the operator."""


class MachineFailure(ArenaFailure):
    """This machine cannot get or start a bot at the moment (no engine, an unreachable server);
    another machine may be able to, or this one later. Nothing of the bot has run."""


@dataclass(frozen=True)
class BotLost:
    """The loss of a bot. Both texts are cut to their limits.

    `sentence`: what the arena observed, in its own words, on one line; everybody may read it.
    `words`: what the bot or its owner wrote, such as the end of its stderr; for them alone.
    """

    kind: FaultKind
    sentence: str
    words: str = ""

    def __post_init__(self) -> None:
        sentence = visible(beginning(self.sentence, SENTENCE_LIMIT_BYTES))
        object.__setattr__(self, "sentence", beginning(sentence, SENTENCE_LIMIT_BYTES))
        object.__setattr__(self, "words", beginning(self.words, WORDS_LIMIT_BYTES))

    @property
    def whole(self) -> str:
        """The sentence with the words, for the bot's owner."""
        return f"{self.sentence} {self.words}".rstrip()


@dataclass(slots=True, eq=False)
class PendingDecision:
    """A decision that a bot is asked for.

    `frame`: the bytes of an ArenaFrame that contains it and nothing else.
    `sent_at`: when the frame in which it travels was first handed to the transport, in seconds of
    `arena.clock`; None before that. The sender sets it, once; the referee does if the sender
    cannot, because the bot does not read.
    `asked_at`: when it was created, in the same seconds.
    """

    frame: bytes
    sent_at: float | None = None
    asked_at: float = field(default_factory=monotonic)

    @classmethod
    def of(cls, decision: Decision) -> PendingDecision:
        """Returns the pending form of a decision."""
        return cls(ArenaFrame(decisions=[decision]).SerializeToString())

    @property
    def decision(self) -> Decision:
        """The decision asked for, parsed on every access."""
        return ArenaFrame.FromString(self.frame).decisions[0]


class Listener(Protocol):
    """Receives the events of one seat's bot. Called from the event loop; must not block."""

    def accepted(self, nonce: bytes) -> None:
        """The bot accepted the match (again, after `restored`)."""

    def answered(self, answer: Answer, at: float) -> None:
        """The bot answered; `at` is when the frame arrived, in seconds of `arena.clock`. The
        answer may be stale, repeated or wrong: the listener has to check it."""

    def lost(self, loss: BotLost) -> None:
        """The bot is lost. Decisions that it owes to this seat are faults."""

    def restored(self) -> None:
        """The bot is back, or a fresh process has replaced it; it knows nothing of the match."""


class SeatChannel(Protocol):
    """The channel between one seat and its bot, for one match. Nothing here blocks, or raises an
    error because of what a bot does."""

    @property
    def handled_s(self) -> float:
        """The seconds that the event loop of this process has spent on nothing but the bot's bytes.
        Lag that the bot has caused itself is not excused. Starts again with the bot's process."""

    @property
    def starved_s(self) -> float:
        """The seconds of the bot's start in which this machine had no processor for it. They are
        excused."""

    def send_start(self, start: MatchStart) -> None:
        """Sends the start of the match, or of its resumption."""

    def ask(self, pending: PendingDecision) -> None:
        """Sends a decision. Does nothing while the bot is away: after `restored` the referee sends
        the decisions that are owed again."""

    def send_end(self, end: MatchEnd) -> None:
        """Sends the end of the match, and closes the channel."""

    def close(self) -> None:
        """Closes the channel: nothing more is sent or received. Harmless if it is closed."""

    def stderr(self) -> str:
        """Returns the last part of what the bot's process wrote to its stderr while the channel was
        open."""


class RunningBot(Protocol):
    """A bot that runs, or is about to run."""

    def sit(self, match_id: str, listener: Listener) -> SeatChannel:
        """Opens a channel for one seat of a match."""
