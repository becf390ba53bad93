"""Asks a bot again what a seat was asked in a recorded match. Whatever it answers, the match goes
on as recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from arena.bots import BotLost, PendingDecision, RunningBot, SeatChannel
from arena.clock import monotonic
from arena.foreign_text import NOTE_LIMIT_BYTES, beginning
from arena.match.referee import (
    ABANDONED,
    ACCEPT_MARGIN_S,
    UNREAD_S,
    action_of,
    illegal_answer,
    late_answer,
)
from arena.match.terms import START_GRACE_S
from arena.match.timekeeper import Timekeeper
from arena.protocol import FaultKind
from arena.records import frames_of, replay
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from sevens.record.v1 import match_record_pb2 as pb


@dataclass(frozen=True)
class Asked:
    """A decision that a seat was asked for.

    `place`: its number among all decisions of the match, from 1.
    `action`: the choice; the arena's if the seat was at fault here.
    """

    place: int
    decision: Decision
    action: str
    milliseconds: int
    fault: pb.Fault | None


@dataclass(frozen=True)
class Past:
    """A seat's side of a recorded match."""

    start: MatchStart
    asked: Sequence[Asked]
    end: MatchEnd


def past_of(record: pb.MatchRecord, seat: int) -> Past:
    """Returns what the seat was sent and what it chose. Raises BadRecord."""
    steps = [step for step in replay(record) if step.seat == seat and step.asked]
    frames = frames_of(record, seat)
    # A decision still open at the end of the match was sent but never made.
    asked = [
        Asked(step.place + 1, decision, str(step.action), step.milliseconds, step.fault)
        for step, decision in zip(steps, frames.decisions, strict=False)
    ]
    return Past(frames.start, asked, frames.end)


@dataclass(frozen=True)
class Reply:
    """A bot's answer to a decision of the past.

    `action`: None if it named no legal one in time.
    `fault`, `sentence`, `words`: the fault that this would have been, if any; `words` are those of
    the bot.
    """

    asked: Asked
    action: str | None
    milliseconds: int
    note: str = ""
    fault: FaultKind | None = None
    sentence: str = ""
    words: str = ""

    @property
    def is_same(self) -> bool:
        """True if the bot chose, or failed, as it did in the match."""
        then = self.asked.fault
        if then is not None or self.fault is not None:
            return then is not None and then.kind == self.fault
        return self.action == self.asked.action

    @property
    def is_last(self) -> bool:
        """True if the bot was lost or too late, so that it cannot be asked any further."""
        return self.fault not in (None, FaultKind.ILLEGAL_ACTION)


class Restarted:
    """The program has dialled in again, and is asked from the beginning."""


class NotStarted(Exception):
    """The bot did not accept the match."""

    def __init__(self, loss: BotLost) -> None:
        super().__init__(loss.whole)
        self.loss = loss


class _Accepted(NamedTuple):
    """The bot accepted the match."""


class _Answered(NamedTuple):
    answer: Answer
    at: float


Report = _Accepted | _Answered | BotLost | Restarted


class Rewind:
    """Asks one bot again. It listens to the bot's channel.

    `timed`: whether the clock of the past applies.
    """

    def __init__(
        self, bot: RunningBot, past: Past, timekeeper: Timekeeper, *, timed: bool = True
    ) -> None:
        self._bot = bot
        self._past = past
        self._timekeeper = timekeeper
        self._timed = timed
        self._reports: asyncio.Queue[Report] = asyncio.Queue()

    async def replies(self, count: int | None = None) -> AsyncIterator[Reply | Restarted]:
        """Yields the answers to the first `count` decisions, or to all; none follows a bot that was
        too late or lost. Raises NotStarted, and ArenaFailure."""
        asked = self._past.asked[:count]
        channel = self._bot.sit(self._past.start.match_id, self)
        try:
            await self._start(channel)
            done = 0
            while done < len(asked):
                reply = await self._ask(channel, asked[done])
                yield reply
                if isinstance(reply, Restarted):
                    await self._start(channel)
                    done = 0
                    continue
                done += 1
                if reply.is_last:
                    return
            channel.send_end(self._end(len(asked)))
        finally:
            channel.close()

    # Reports of the channel.

    def accepted(self, nonce: bytes) -> None:
        self._reports.put_nowait(_Accepted())

    def answered(self, answer: Answer, at: float) -> None:
        self._reports.put_nowait(_Answered(answer, at))

    def lost(self, loss: BotLost) -> None:
        self._reports.put_nowait(loss)

    def restored(self) -> None:
        self._reports.put_nowait(Restarted())

    # One side of the conversation.

    async def _start(self, channel: SeatChannel) -> None:
        """Starts the match, again for each program that dials in meanwhile."""
        sent_at = monotonic()
        channel.send_start(self._past.start)
        while True:
            report = await self._next(
                lambda: monotonic() - sent_at - channel.starved_s, START_GRACE_S + ACCEPT_MARGIN_S
            )
            match report:
                case _Accepted():
                    return
                case Restarted():
                    channel.send_start(self._past.start)
                case BotLost():
                    raise NotStarted(report)
                case None:
                    sentence = f"The bot did not accept the match within {START_GRACE_S:g} seconds."
                    raise NotStarted(BotLost(FaultKind.START_FAILED, sentence))

    async def _ask(self, channel: SeatChannel, asked: Asked) -> Reply | Restarted:
        handled_s = channel.handled_s
        pending = PendingDecision.of(asked.decision)
        channel.ask(pending)

        def spent_ms(until: float) -> int:
            sent_at = pending.sent_at
            since = pending.asked_at + UNREAD_S if sent_at is None else sent_at
            return self._timekeeper.charged_ms(since, until, channel.handled_s - handled_s)

        limit_ms = asked.decision.time_left_ms
        while True:
            report = await self._next(lambda: spent_ms(monotonic()) / 1000, limit_ms / 1000)
            match report:
                case _Answered(answer, at) if answer.number == asked.decision.number:
                    return self._reply(asked, answer, spent_ms(at))
                case BotLost():
                    spent = spent_ms(monotonic())
                    return _failed(asked, spent, report.kind, report.sentence, report.words)
                case Restarted():
                    return report
                case None:
                    sentence = f"No answer arrived within the {limit_ms} ms that were left."
                    return _failed(asked, limit_ms, FaultKind.TIMEOUT, sentence)

    async def _next(self, spent_s: Callable[[], float], limit_s: float) -> Report | None:
        """Returns the next report; None if there is none within the limit."""
        if not self._timed:
            return await self._reports.get()
        while self._reports.empty() and (left_s := limit_s - spent_s()) >= 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left_s + 0.001):
                    return await self._reports.get()
        return None if self._reports.empty() else self._reports.get_nowait()

    def _reply(self, asked: Asked, answer: Answer, spent_ms: int) -> Reply:
        left_ms, legal = asked.decision.time_left_ms, asked.decision.legal_actions
        note = beginning(answer.note, NOTE_LIMIT_BYTES)
        if self._timed and spent_ms > left_ms:
            late = late_answer(spent_ms, left_ms)
            return _failed(asked, spent_ms, FaultKind.TIMEOUT, late, note=note)
        action = action_of(answer, legal)
        if action is None:
            sentence, words = illegal_answer(answer, legal)
            return _failed(asked, spent_ms, FaultKind.ILLEGAL_ACTION, sentence, words, note)
        return Reply(asked, action, spent_ms, note)

    def _end(self, count: int) -> MatchEnd:
        if count == len(self._past.asked):
            return self._past.end
        return MatchEnd(match_id=self._past.start.match_id, reason=ABANDONED)


def _failed(
    asked: Asked, spent_ms: int, kind: FaultKind, sentence: str, words: str = "", note: str = ""
) -> Reply:
    return Reply(asked, None, spent_ms, note, kind, sentence, words)
