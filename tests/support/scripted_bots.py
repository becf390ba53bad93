"""Bots that follow a script, on the referee's own event loop: no process, no socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from arena.bots.interface import BotLost, Listener, PendingDecision
from arena.clock import monotonic
from arena.match.deal_set import DealSet
from arena.match.play import Played, play_match
from arena.match.terms import Entry, Terms
from arena.match.timekeeper import Timekeeper
from arena.protocol.faults import FaultKind
from arena.records.verification import verify_record
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart

Script = Callable[["ScriptedChannel", PendingDecision], None]


def answer(line: ScriptedChannel, question: PendingDecision) -> None:
    """Answers with the first legal action, in the next iteration of the loop."""
    line.later(line.reply, question.decision, 0)


class ScriptedChannel:
    """A channel whose bot follows its script for each question."""

    def __init__(self, bot: ScriptedBot, match_id: str, listener: Listener) -> None:
        self.bot = bot
        self.match_id = match_id
        self.listener = listener
        self.starts: list[MatchStart] = []
        self.asked: list[Decision] = []
        self.ends: list[MatchEnd] = []
        self.closed = False
        self.away = False
        self.handled_s = 0.0
        self.starved_s = 0.0

    def later(self, act: Callable[..., object], *arguments: object) -> None:
        asyncio.get_running_loop().call_soon(act, *arguments)

    def reply(
        self, decision: Decision, index: int = 0, *, text: str = "", number: int = 0, note: str = ""
    ) -> None:
        reply = Answer(match_id=self.match_id, number=number or decision.number, note=note)
        if text:
            reply.text = text
        else:
            reply.index = index
        self.listener.answered(reply, monotonic())

    def lose(self, loss: BotLost) -> None:
        self.away = True
        self.listener.lost(loss)

    def come_back(self) -> None:
        self.away = False
        self.listener.restored()

    # The channel's side

    def send_start(self, start: MatchStart) -> None:
        self.starts.append(start)
        if self.bot.nonce is not None:
            self.later(self.listener.accepted, self.bot.nonce)

    def ask(self, question: PendingDecision) -> None:
        if self.away:
            return
        if question.sent_at is None:
            question.sent_at = monotonic()
        self.asked.append(question.decision)
        self.bot.questioned.set()
        self.bot.script(self, question)

    def send_end(self, end: MatchEnd) -> None:
        self.ends.append(end)

    def close(self) -> None:
        self.closed = True

    def stderr(self) -> str:
        return self.bot.words


class ScriptedBot:
    """A running bot. `nonce`: the nonce with which it accepts matches; None: it never accepts."""

    def __init__(
        self, script: Script = answer, *, nonce: bytes | None = b"nonce", words: str = ""
    ) -> None:
        self.script = script
        self.nonce = nonce
        self.words = words
        self.lines: list[ScriptedChannel] = []
        self.seated = asyncio.Event()
        self.questioned = asyncio.Event()

    @property
    def line(self) -> ScriptedChannel:
        [line] = self.lines
        return line

    def sit(self, match_id: str, listener: Listener) -> ScriptedChannel:
        line = ScriptedChannel(self, match_id, listener)
        self.lines.append(line)
        self.seated.set()
        return line


def entries(*bots: ScriptedBot) -> list[Entry]:
    """Returns the bots at seats 0, 1, …, with entrants in the same order."""
    return [Entry(bot, f"bot-{seat}", "", seat) for seat, bot in enumerate(bots)]


async def played_to_its_end(terms: Terms, deal_set: DealSet, *bots: ScriptedBot) -> Played:
    """Returns a match between the bots; its record verifies, whatever they did."""
    timekeeper = Timekeeper()
    keeping = asyncio.create_task(timekeeper.run())
    try:
        result = await play_match(terms, entries(*bots), deal_set, timekeeper)
    finally:
        keeping.cancel()
    verdict = verify_record(result.record)
    assert verdict.ok, verdict
    return result


def at(number: int, act: Script) -> Script:
    """Answers everything, but does something else at the seat's decision of that number."""

    def script(line: ScriptedChannel, question: PendingDecision) -> None:
        (act if question.decision.number == number else answer)(line, question)

    return script


def kinds(result: Played) -> list[tuple[int, FaultKind, int]]:
    """Returns the seat, kind and decision of each fault of a match."""
    return [(fault.seat, fault.kind, fault.decision) for fault in result.faults]
