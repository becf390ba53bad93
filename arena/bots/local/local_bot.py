"""A bot on this machine: started, let in, watched, replaced, ended."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from arena.bots.interface import ArenaFailure, BotLost, Listener
from arena.bots.local.captured_output import Output
from arena.bots.local.lifecycle import Lifecycle
from arena.bots.local.local_channel import LocalChannel
from arena.bots.local.runner import Access, Instance, Runner
from arena.bots.source import try_to_remove
from arena.bots.stream import LEFT, Connection, Gateway, StreamChannel, deliver
from arena.protocol import FaultKind
from sevens.bot.v1.bot_service_pb2 import BotFrame

# The time that a bot has to end after a goodbye, and after SIGTERM.
GOODBYE_S = 2.0
TERMINATE_S = 1.0
# After this many processes in a row that were lost before they answered anything, none is started.
FRUITLESS_PROCESSES = 3
LOSSES_KEPT = 3
# The exit codes of a process that was asked to leave, or killed: not worth reporting.
EXPECTED_EXIT_CODES = (None, 0, 128 + signal.SIGTERM, 128 + signal.SIGKILL)


class LocalBot:
    """A bot as one process (or container) after another: the first starts at once, the next one
    when the previous one is lost and a channel is open.

    `runner`: starts the processes.
    `access`: its folder, for the socket, is removed with the bot.
    `start_grace`: how many seconds a process may take to say hello.
    `forget`: called when the bot has been stopped.
    `shared_output`: the file for its output, if several matches at once share it; it is written
    when the bot is stopped. None: it is not kept.
    `matches_at_once`: how many matches the bot takes, known from its hello on.
    `memory_share`: the share of its memory limit that it was last seen to use.
    `ignored_answers`: the number of answers for matches that were not open.
    `losses`: why its last processes were lost, except those that the arena ended. Whether that
    affected a match is for its referee to decide.
    """

    def __init__(
        self,
        runner: Runner,
        access: Access,
        start_grace: float,
        forget: Callable[[LocalBot], None],
        shared_output: Path | None = None,
    ) -> None:
        self.output = Output()
        self.shared_output = shared_output
        self.matches_at_once = 1
        self.memory_share = 0.0
        self.ignored_answers = 0
        self.losses: deque[BotLost] = deque(maxlen=LOSSES_KEPT)
        self._runner = runner
        self._access = access
        self._start_grace = start_grace
        self._forget = forget
        self._channels: dict[str, LocalChannel] = {}
        self._connection: Connection | None = None
        self._lifecycle: Lifecycle | None = None
        self._instance: Instance | None = None
        self._frozen = False
        self._is_output_shared = False
        self._is_leaving = False  # True: the current process wants no further match
        self._fruitful = False  # True: the current process has answered something
        self._fruitless = 0  # the number of processes in a row that had not
        self._needed = asyncio.Event()  # a process is needed
        self._outcome: BotLost | ArenaFailure | None = None  # why no more processes are started
        self._decided = asyncio.Event()  # there was a first hello, or there is an outcome
        self._running = asyncio.create_task(self._run())

    async def ready(self) -> BotLost | None:
        """Waits for the first hello. Returns why there was none, or None. Raises ArenaFailure."""
        await self._decided.wait()
        return self.given_up()

    def sit(self, match_id: str, listener: Listener) -> LocalChannel:
        if match_id in self._channels:
            raise ValueError(f"the bot has a seat in match {match_id} already")
        channel = self._channels[match_id] = LocalChannel(match_id, listener, self)
        if len(self._channels) > 1:
            self._is_output_shared = True
            for open_channel in self._channels.values():
                open_channel.share_output()
        if self._connection is not None and not self._is_leaving:
            channel.introduce(self._connection)
        self._needed.set()
        return channel

    async def freeze(self) -> bool:
        """Stops the bot from running until `thaw`; it must have no seat. Returns False if that is
        not possible."""
        if self._instance is None or self._connection is None or self._channels:
            return False
        self._frozen = await self._instance.freeze()
        return self._frozen

    async def thaw(self) -> None:
        """Lets the bot go on."""
        self._frozen = False
        if self._instance is not None:
            await self._instance.thaw()

    @property
    def memory_bytes(self) -> int:
        """The memory that the bot uses, in bytes."""
        return 0 if self._instance is None else self._instance.memory_bytes

    @property
    def starved_s(self) -> float:
        """The seconds in which its process was starting and waited for a processor."""
        return 0.0 if self._lifecycle is None else self._lifecycle.starved_s

    async def stop(self, sentence: str) -> None:
        """Ends the bot, and everything it has started; `sentence` is the reason it is given, unless
        it is frozen. Listeners of open channels are not called any more."""
        for channel in tuple(self._channels.values()):
            channel.close()
        stopped = BotLost(FaultKind.DISCONNECTED, sentence)
        self._outcome = self._outcome or stopped
        self._needed.set()
        self._decided.set()
        if not self._frozen:
            await self._ask_to_leave(sentence)
        if self._lifecycle is not None:
            self._lifecycle.report(stopped)
        await asyncio.wait((self._running,))
        self._lifecycle = None  # it refers to the bot
        if self.shared_output is not None and self._is_output_shared:
            self.output.save(self.shared_output)
        try_to_remove(self._access.folder)
        self._forget(self)

    async def _ask_to_leave(self, sentence: str) -> None:
        if self._connection is not None:
            self._connection.say_goodbye(sentence)
            await self._wait_for_end(GOODBYE_S)
        if self._instance is not None:
            self._instance.signal(signal.SIGTERM)
            await self._wait_for_end(TERMINATE_S)

    # Called by the channels.

    def given_up(self) -> BotLost | None:
        if isinstance(self._outcome, ArenaFailure):
            raise self._outcome
        return self._outcome

    def leave(self, channel: StreamChannel) -> None:
        del self._channels[channel.match_id]
        self._let_go()

    # Called by the lifecycle.

    def uses(self, memory_share: float) -> None:
        self.memory_share = memory_share

    def connected(self, connection: Connection) -> None:
        self._connection = connection
        takes = max(1, connection.hello.matches_at_once)
        self.matches_at_once = min(takes, self._access.matches_at_once or takes)
        self._decided.set()
        for channel in tuple(self._channels.values()):
            channel.introduce(connection)

    def heard(self, frame: BotFrame, at: float) -> None:
        strays = deliver(frame, at, self._channels)
        self.ignored_answers += strays
        if len(frame.answers) > strays:
            self._fruitful = True
        if frame.HasField("leave") and not self._is_leaving:
            self._is_leaving = True
            self._let_go()

    def away(self, loss: BotLost) -> None:
        self._connection = None
        for channel in tuple(self._channels.values()):
            if not (self._is_leaving and channel.is_new):
                channel.lose(loss)

    def _let_go(self) -> None:
        """Says goodbye to a process that is leaving, once it has no match. The next match gets
        another one."""
        in_play = any(not channel.is_new for channel in self._channels.values())
        if self._is_leaving and self._connection is not None and not in_play:
            self._connection.say_goodbye(LEFT)

    # One process after another.

    async def _run(self) -> None:
        try:
            while self._outcome is None:
                await self._live()
                if not self._channels and self._outcome is None:
                    self._needed.clear()
                await self._needed.wait()
        except ArenaFailure as failure:
            self._fail(failure)
        except Exception as error:
            unforeseen = ArenaFailure(f"Managing a bot's process failed: {error!r}.")
            unforeseen.__cause__ = error
            self._fail(unforeseen)

    async def _live(self) -> None:
        """Runs one process until it is lost. Raises ArenaFailure."""
        self._fruitful = self._is_leaving = False
        lifecycle = Lifecycle(self, self._start_grace)
        self._lifecycle = lifecycle
        gateway = Gateway(self._access.folder, self._access.token, lifecycle)
        await gateway.open()
        try:
            instance = self._instance = await self._runner.start(self.output, lifecycle)
            try:
                loss = await lifecycle.loss()
                self._conclude(lifecycle, instance, loss)
            finally:
                self._instance = self._connection = None
                await instance.kill()
        finally:
            await gateway.close()

    def _conclude(self, lifecycle: Lifecycle, instance: Instance, loss: BotLost) -> None:
        """Decides if another process may follow the lost one, and reports the loss to the
        channels."""
        has_left = self._is_leaving and instance.exit_code in EXPECTED_EXIT_CODES
        self._fruitless = 0 if self._fruitful or has_left else self._fruitless + 1
        if self._fruitless == FRUITLESS_PROCESSES:
            again = f"{self._fruitless} processes in a row were lost before they answered anything."
            loss = BotLost(loss.kind, f"{again} {loss.sentence}", loss.words)
        expected = self._outcome is not None or has_left
        if not expected or instance.exit_code not in EXPECTED_EXIT_CODES:
            self.losses.append(loss)
        if not lifecycle.greeted or self._fruitless == FRUITLESS_PROCESSES:
            self._outcome = self._outcome or loss
            self._decided.set()
        self.away(loss)

    def _fail(self, failure: ArenaFailure) -> None:
        self._outcome = failure
        self._decided.set()
        for channel in tuple(self._channels.values()):
            channel.fail()

    async def _wait_for_end(self, seconds: float) -> None:
        if self._instance is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._instance.ended()
