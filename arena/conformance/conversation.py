"""A scripted conversation with one process of the bot: the check decides everything the
arena says."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

from arena.bots import ArenaFailure, BotLost, PendingDecision, private_folder
from arena.bots.local import Access, Ending, Output
from arena.bots.source import try_to_remove
from arena.bots.stream import Connection, Gateway
from arena.clock import monotonic
from arena.conformance.exchange import shown_answer, shown_decision
from arena.conformance.finding import Failed
from arena.conformance.subject import Patience, Subject
from arena.match import Timekeeper
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame, Hello, Ping
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart


class Visit:
    """Frames sent to the process, and everything that has arrived from it, in order.

    `hellos`, `accepts` (match ids), `answers`, `pongs`: what arrived.
    `refusals`: how often it was refused.
    `ending`: how the process ended, if it has.
    `secret`: the token that admits the bot.
    """

    def __init__(
        self, access: Access, secret: str, patience: Patience, timekeeper: Timekeeper
    ) -> None:
        self.hellos: list[Hello] = []
        self.accepts: list[str] = []
        self.answers: list[Answer] = []
        self.pongs: list[int] = []
        self.refusals = 0
        self.ending: Ending | None = None
        self.output = Output()
        self._access = access
        self._secret = secret
        self._patience = patience
        self._timekeeper = timekeeper
        self._pings = 0
        self._loss: BotLost | None = None
        self._failure: ArenaFailure | None = None
        self._hellos_before_cut = 0
        self._connection: Connection | None = None
        self._gateway = Gateway(access.folder, secret, self)
        self._changed = asyncio.Event()

    # The arena's messages.

    def start(self, start: MatchStart) -> None:
        self._open().start(start)

    def ask(self, decision: Decision) -> None:
        self._open().ask(PendingDecision.of(decision))

    def send(self, frame: bytes) -> None:
        """Sends a frame unchanged."""
        self._open().ask(PendingDecision(frame))

    def ping(self, number: int) -> None:
        self.send(ArenaFrame(ping=Ping(number=number)).SerializeToString())

    def end(self, match_id: str) -> None:
        self._open().end(MatchEnd(match_id=match_id, reason="abandoned"))

    def say_goodbye(self) -> None:
        self._open().say_goodbye("The check is over.")

    async def open(self) -> None:
        await self._gateway.open()

    async def close(self) -> None:
        await self._gateway.close()

    async def cut(self) -> None:
        """Breaks the stream, and listens again."""
        self._hellos_before_cut = len(self.hellos)
        await self._gateway.close()
        await self._until(lambda: self._connection is None, self._patience.come_back)
        self._gateway = Gateway(self._access.folder, self._secret, self)
        await self._gateway.open()

    # The events that checks wait for.

    async def greeted(self) -> Hello:
        """Waits for the first hello."""
        seconds = self._patience.hello
        if not await self._until(lambda: bool(self.hellos), seconds):
            raise Failed(
                f"The bot did not say hello within {seconds:g} seconds. A bot must connect to"
                f" ARENA_ADDRESS and send a hello first.{self.output.quote(0)}"
            )
        return self.hellos[0]

    async def came_back(self) -> bool:
        """Waits until the bot has dialled in after a cut; returns False if it does not in time."""
        before = self._hellos_before_cut
        return await self._until(lambda: len(self.hellos) > before, self._patience.come_back)

    async def take_up(self, *starts: MatchStart) -> None:
        """Starts matches, and waits until the bot has accepted each."""
        before = len(self.accepts)
        for start in starts:
            self.start(start)
        seconds = self._patience.answer
        for match_id in (start.match_id for start in starts):
            sent = f"the start of match {match_id}"
            if not await self._until(partial(self._accepted, match_id, before), seconds, sent):
                raise Failed(
                    f"The bot did not accept a match within {seconds:g} seconds. Each start"
                    " must be answered by an accept.",
                    sent=sent,
                    came_back="nothing",
                )

    async def answer_to(self, decision: Decision, since: int = 0) -> Answer:
        """Waits for the answer to a decision, the first after answer number `since`."""
        sent = shown_decision(decision)
        await self._until(lambda: bool(self.found(decision, since)), self._patience.answer, sent)
        found = self.found(decision, since)
        if not found:
            raise Failed(
                f"The bot did not answer within {self._patience.answer:g} seconds.",
                sent=sent,
                came_back=shown_answer(self.answers[-1] if self.answers[since:] else None),
            )
        return found[0]

    async def pong(self) -> None:
        """Waits until there are as many pongs as there were pings."""
        self._pings += 1
        sent = "a ping"
        seconds = self._patience.answer
        if not await self._until(lambda: len(self.pongs) >= self._pings, seconds, sent):
            raise Failed(
                f"The bot did not answer a ping within {seconds:g} seconds, while it owed nothing.",
                sent=sent,
                came_back="nothing",
            )

    async def refusal(self) -> None:
        """Waits until the bot was refused, as long as for a hello."""
        await self._wait(lambda: bool(self.refusals or self.ending), self._patience.hello)

    async def left(self) -> Ending | None:
        """Waits until the process has ended by itself; returns None if it does not."""
        await self._wait(lambda: self.ending is not None, self._patience.leave)
        return self.ending

    async def quiet(self, seconds: float) -> None:
        """Gives the bot time to say something that it should not."""
        await self._until(lambda: False, seconds)

    def found(self, decision: Decision, since: int = 0) -> list[Answer]:
        """Returns the answers to a decision so far."""
        key = (decision.match_id, decision.number)
        return [
            answer for answer in self.answers[since:] if (answer.match_id, answer.number) == key
        ]

    # Callbacks of the gateway and the process.

    def connected(self, connection: Connection) -> None:
        self._connection = connection
        self.hellos.append(connection.hello)
        self._changed.set()

    def heard(self, frame: BotFrame, at: float) -> None:
        self.accepts += [accept.match_id for accept in frame.accepts]
        self.answers += frame.answers
        if frame.HasField("pong"):
            self.pongs.append(frame.pong.number)
        self._changed.set()

    def report(self, event: Ending | BotLost | ArenaFailure) -> None:
        match event:
            case Ending():
                self.ending = event
            case BotLost():
                self._loss = event
            case ArenaFailure():
                self._failure = event
        self._changed.set()

    def uses(self, memory_share: float, waited_s: float) -> None:
        """Memory is limited elsewhere."""

    def disconnected(self) -> None:
        self._connection = None
        self._changed.set()

    def refused(self, loss: BotLost) -> None:
        self.refusals += 1
        self.report(loss)

    # Waiting.

    def _accepted(self, match_id: str, before: int) -> bool:
        """Returns True if a match is among the acceptances after the first `before`."""
        return match_id in self.accepts[before:]

    def _open(self) -> Connection:
        if self._connection is None:
            raise Failed(f"The bot hung up in the middle of the check.{self.output.quote(0)}")
        return self._connection

    async def _until(self, condition: Callable[[], bool], seconds: float, sent: str = "") -> bool:
        """Waits for the condition; returns False if it is not met in time. Raises Failed if it no
        longer can be: nothing came back for what was `sent`."""

        def so() -> bool:
            met = condition()
            if not met:
                self._check_that_it_goes_on(sent)
            return met

        return await self._wait(so, seconds)

    def _check_that_it_goes_on(self, sent: str) -> None:
        if self._failure is not None:
            raise self._failure
        came_back = "nothing" if sent else ""
        if self._loss is not None:
            raise Failed(self._loss.whole, sent=sent, came_back=came_back)
        if self.ending is not None:
            sentence = f"The bot's process {self.ending}.{self.output.quote(0)}"
            raise Failed(sentence, sent=sent, came_back=came_back)

    async def _wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Waits for the condition; returns False if it is not met in time. As in a match, this
        process's own lag is not charged."""
        since = monotonic()
        while not condition():
            left = seconds - self._timekeeper.charged_ms(since, monotonic()) / 1000
            if left <= 0:
                return False
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()
        return True


@asynccontextmanager
async def visiting(subject: Subject, *, refused: bool = False) -> AsyncIterator[Visit]:
    """Starts a process of the bot to talk to, and ends it in any case. `refused`: the arena
    rejects the bot's hello."""
    secret = secrets.token_urlsafe(24)
    given = secrets.token_urlsafe(24) if refused else secret
    access = Access(private_folder(), given, subject.matches_at_once)
    visit = Visit(access, secret, subject.patience, subject.timekeeper)
    try:
        runner = await subject.host.runner_for(subject.program, access)
        await visit.open()
        process = await runner.start(visit.output, visit)
        try:
            yield visit
        finally:
            await process.kill()
    finally:
        await visit.close()
        try_to_remove(access.folder)
