"""A bot that runs on this machine: started, let in, watched, replaced, ended."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from arena.bots.interface import ArenaFailure, BotLost, Listener
from arena.bots.local.channel import LocalChannel
from arena.bots.local.lifecycle import Life
from arena.bots.local.output import Output
from arena.bots.local.runner import Runner, Running
from arena.bots.process.launch import Access
from arena.bots.stream.connection import Connection
from arena.bots.stream.gateway import Gateway
from arena.protocol.faults import FaultKind
from sevens.bot.v1.bot_service_pb2 import BotFrame

# How long a bot may take to leave after a goodbye, and after SIGTERM.
GOODBYE_S = 2.0
TERMINATE_S = 1.0
# After so many processes in a row that were lost before they answered anything, none is started.
FRUITLESS_PROCESSES = 3
LOSSES_KEPT = 3
# Of a process that was told to leave, or made to: there is nothing to tell about it.
LEFT_WELL = (None, 0, 128 + signal.SIGTERM, 128 + signal.SIGKILL)


class LocalBot:
    """A bot as one process after another: the first starts at once, another one when the last is
    lost and a line is open. Its folder for the socket, in `access`, goes with it.

    `start_grace`: how many seconds a process may take to say hello. `forget` is called when the bot
    has been stopped. `matches_at_once`: how many matches the bot takes, known from its hello on.
    `memory_share`: how much of its limit it was last seen to use. `ignored_answers`: how many came
    for matches that were not open. `losses`: why its last processes were lost, if by no doing of
    the arena's; whether a match minded is for its referee to say.
    """

    def __init__(
        self,
        way: Runner,
        access: Access,
        start_grace: float,
        forget: Callable[[LocalBot], None],
    ) -> None:
        self.output = Output()
        self.matches_at_once = 1
        self.memory_share = 0.0
        self.ignored_answers = 0
        self.losses: deque[BotLost] = deque(maxlen=LOSSES_KEPT)
        self._way = way
        self._access = access
        self._start_grace = start_grace
        self._forget = forget
        self._lines: dict[str, LocalChannel] = {}
        self._connection: Connection | None = None
        self._life: Life | None = None
        self._process: Running | None = None
        self._fruitful = False  # whether the process has answered anything
        self._fruitless = 0  # how many in a row had not
        self._needed = asyncio.Event()  # whether a process is
        self._outcome: BotLost | ArenaFailure | None = None  # why none is started any more
        self._decided = asyncio.Event()  # there was a first hello, or there is an outcome
        self._running = asyncio.create_task(self._run())

    async def ready(self) -> BotLost | None:
        """Waits for the first hello. Returns why there was none, or None. Raises ArenaFailure."""
        await self._decided.wait()
        return self.given_up()

    def sit(self, match_id: str, listener: Listener) -> LocalChannel:
        if match_id in self._lines:
            raise ValueError(f"the bot has a seat in match {match_id} already")
        line = self._lines[match_id] = LocalChannel(match_id, listener, self)
        if self._connection is not None:
            line.introduce(self._connection)
        self._needed.set()
        return line

    async def stop(self, sentence: str) -> None:
        """Ends the bot; `sentence` tells it why. Lines that are open hear nothing more. Nothing
        that the bot started is left running."""
        for line in tuple(self._lines.values()):
            line.close()
        stopped = BotLost(FaultKind.DISCONNECTED, sentence)
        self._outcome = self._outcome or stopped
        self._needed.set()
        self._decided.set()
        if self._connection is not None:
            self._connection.say_goodbye(sentence)
            await self._wait_for_end(GOODBYE_S)
        if self._process is not None:
            self._process.signal(signal.SIGTERM)
            await self._wait_for_end(TERMINATE_S)
        if self._life is not None:
            self._life.tell(stopped)
        await asyncio.wait((self._running,))
        shutil.rmtree(self._access.folder, ignore_errors=True)
        self._forget(self)

    # What the lines ask and tell.

    def given_up(self) -> BotLost | None:
        if isinstance(self._outcome, ArenaFailure):
            raise self._outcome
        return self._outcome

    def leave(self, match_id: str) -> None:
        del self._lines[match_id]

    # What the process's life tells.

    def uses(self, memory_share: float) -> None:
        self.memory_share = memory_share

    def connected(self, connection: Connection) -> None:
        self._connection = connection
        takes = max(1, connection.hello.matches_at_once)
        self.matches_at_once = min(takes, self._access.matches_at_once or takes)
        self._decided.set()
        for line in tuple(self._lines.values()):
            line.introduce(connection)

    def heard(self, frame: BotFrame, at: float) -> None:
        lines = self._lines
        for accept in frame.accepts:
            if line := lines.get(accept.match_id):
                line.listener.accepted(accept.nonce)
        for answer in frame.answers:
            if line := lines.get(answer.match_id):
                self._fruitful = True
                line.listener.answered(answer, at)
            else:
                self.ignored_answers += 1

    def away(self, loss: BotLost) -> None:
        self._connection = None
        for line in tuple(self._lines.values()):
            line.lose(loss)

    # One process after another.

    async def _run(self) -> None:
        try:
            while self._outcome is None:
                await self._live()
                if not self._lines and self._outcome is None:
                    self._needed.clear()
                await self._needed.wait()
        except ArenaFailure as failure:
            self._fail(failure)
        except Exception as error:
            unforeseen = ArenaFailure(f"A bot's process could not be looked after: {error!r}.")
            unforeseen.__cause__ = error
            self._fail(unforeseen)

    async def _live(self) -> None:
        """Lives through one process. Raises ArenaFailure."""
        self._fruitful = False
        life = self._life = Life(self, self._start_grace, self._way.ending_known_s)
        gateway = Gateway(self._access.folder, self._access.token, life)
        await gateway.open()
        try:
            process = self._process = await self._way.start(self.output, life)
            try:
                loss = await life.loss()
                self._conclude(life, process, loss)
            finally:
                self._process = self._connection = None
                await process.kill()
        finally:
            await gateway.close()

    def _conclude(self, life: Life, process: Running, loss: BotLost) -> None:
        """The process is lost: decides whether another one may follow, and tells the lines."""
        self._fruitless = 0 if self._fruitful else self._fruitless + 1
        if self._fruitless == FRUITLESS_PROCESSES:
            again = f"{self._fruitless} processes in a row were lost before they answered anything."
            loss = BotLost(loss.kind, f"{again} {loss.sentence}")
        if self._outcome is None or process.exit_code not in LEFT_WELL:
            self.losses.append(loss)
        if not life.greeted or self._fruitless == FRUITLESS_PROCESSES:
            self._outcome = self._outcome or loss
            self._decided.set()
        self.away(loss)

    def _fail(self, failure: ArenaFailure) -> None:
        self._outcome = failure
        self._decided.set()
        for line in tuple(self._lines.values()):
            line.fail()

    async def _wait_for_end(self, seconds: float) -> None:
        if self._process is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.ended(), seconds)
