"""Listens in on the channel between a referee and the bot under check."""

from __future__ import annotations

from arena.bots import BotLost, Listener, PendingDecision, RunningBot, SeatChannel
from arena.conformance.exchange import Exchange
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart


class TappedBot:
    """A bot whose exchanges are added to a list. `owed`: the decision it owes in each match."""

    def __init__(self, bot: RunningBot, exchanges: list[Exchange]) -> None:
        self.exchanges = exchanges
        self.owed: dict[str, Decision] = {}
        self._bot = bot

    def sit(self, match_id: str, listener: Listener) -> SeatChannel:
        line = TappedLine(self, listener)
        line.line = self._bot.sit(match_id, line)
        return line


class TappedLine:
    """A line and the listener at its other end, with an ear between them."""

    line: SeatChannel

    def __init__(self, bot: TappedBot, listener: Listener) -> None:
        self._bot = bot
        self._listener = listener
        self._start = MatchStart()
        self._question: PendingDecision | None = None

    @property
    def handled_s(self) -> float:
        return self.line.handled_s

    @property
    def starved_s(self) -> float:
        return self.line.starved_s

    # From the referee to the bot.

    def send_start(self, start: MatchStart) -> None:
        self._start = start
        self.line.send_start(start)

    def ask(self, question: PendingDecision) -> None:
        self._question = question
        self._bot.owed[question.decision.match_id] = question.decision
        self.line.ask(question)

    def send_end(self, end: MatchEnd) -> None:
        self.line.send_end(end)

    def close(self) -> None:
        self.line.close()

    def stderr(self) -> str:
        return self.line.stderr()

    # From the bot to the referee.

    def accepted(self, nonce: bytes) -> None:
        self._listener.accepted(nonce)

    def answered(self, answer: Answer, at: float) -> None:
        question = self._question
        if question and question.sent_at and question.decision.number == answer.number:
            self._question = None
            ms = (at - question.sent_at) * 1000
            self._bot.owed.pop(answer.match_id, None)
            self._bot.exchanges.append(Exchange(self._start, question.decision, answer, ms))
        self._listener.answered(answer, at)

    def lost(self, loss: BotLost) -> None:
        self._listener.lost(loss)

    def restored(self) -> None:
        self._listener.restored()
