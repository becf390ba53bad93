"""One seat of a match, as its referee sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from arena.bots import BotLost, PendingDecision, SeatChannel
from arena.match.terms import Entry
from arena.protocol import Fault
from sevens.bot.v1.decision_pb2 import Answer


class SeatEvents(Protocol):
    """Receives the reports of a match's seats."""

    def seat_accepted(self, seat: Seat, nonce: bytes) -> None: ...
    def seat_answered(self, seat: Seat, answer: Answer, at: float) -> None: ...
    def seat_lost(self, seat: Seat, loss: BotLost) -> None: ...
    def seat_restored(self, seat: Seat) -> None: ...
    def failed(self, failure: Exception) -> None: ...


class Seat:
    """A seat. It listens to its bot's channel and passes on what arrives.

    `bank_ms`: the time left, without the next increment.
    `number`: the count of decisions so far, including those that the arena made.
    `pending`: the decision owed, if any.
    `legal`: the legal actions of the decision owed.
    `time_left_ms`: the time in which it has to be answered.
    `handled_s`: the channel's `handled_s` when the decision was asked for.
    `heard`: the number of its events that were sent to the seat.
    `away`: whether its bot is currently lost.
    `breach`: the loss of a bot that broke a rule while it owed nothing.
    `stale`: the count of answers ignored.
    `start_ms`: the time until it accepted; None before that.
    """

    __slots__ = (
        "accepted_nonce",
        "away",
        "bank_ms",
        "breach",
        "channel",
        "entry",
        "fault",
        "handled_s",
        "heard",
        "index",
        "legal",
        "notes",
        "number",
        "pending",
        "referee",
        "stale",
        "start_ms",
        "time_left_ms",
    )

    def __init__(self, index: int, entry: Entry, bank_ms: int, referee: SeatEvents) -> None:
        self.index = index
        self.entry = entry
        self.referee = referee
        self.bank_ms = bank_ms
        self.number = 0
        self.heard = 0
        self.stale = 0
        self.start_ms: int | None = None
        self.away = False
        self.breach: BotLost | None = None
        self.accepted_nonce: bytes | None = None
        self.pending: PendingDecision | None = None
        self.legal: Sequence[str] = ()
        self.time_left_ms = 0
        self.handled_s = 0.0
        self.fault: Fault | None = None
        self.notes: list[tuple[int, str]] = []
        self.channel: SeatChannel

    # Reports of the channel. A failure of the arena itself ends the match, not the bot's stream.

    def accepted(self, nonce: bytes) -> None:
        self._guarded(lambda: self.referee.seat_accepted(self, nonce))

    def answered(self, answer: Answer, at: float) -> None:
        try:
            self.referee.seat_answered(self, answer, at)
        except Exception as failure:
            self.referee.failed(failure)

    def lost(self, loss: BotLost) -> None:
        self._guarded(lambda: self.referee.seat_lost(self, loss))

    def restored(self) -> None:
        self._guarded(lambda: self.referee.seat_restored(self))

    def _guarded(self, report: Callable[[], None]) -> None:
        try:
            report()
        except Exception as failure:
            self.referee.failed(failure)
