"""The channel of a seat to a bot on this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from arena.bots.interface import BotLost, Listener, PendingDecision
from arena.bots.local.captured_output import Output
from arena.bots.stream import ChannelOwner, Connection, StreamChannel
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart


class LocalOwner(ChannelOwner, Protocol):
    """The bot that a channel leads to."""

    output: Output
    shared_output: Path | None

    @property
    def starved_s(self) -> float:
        """See `SeatChannel`."""

    def given_up(self) -> BotLost | None:
        """Returns why the bot has no process and will get none, or None. Raises ArenaFailure if
        that is the arena's fault."""


class LocalChannel(StreamChannel):
    """A channel that starts before its bot is ready.

    It is new until the first connection: what is sent is kept until then. It is open while there is
    a connection. It is away while there is none any more: nothing is kept, and the listener's
    `restored` will be called.
    """

    __slots__ = ("_bot", "_connection", "_kept", "_shares_output", "_stderr", "_written")

    def __init__(self, match_id: str, listener: Listener, bot: LocalOwner) -> None:
        super().__init__(match_id, listener, bot)
        self._bot = bot
        self._connection: Connection | None = None
        self._kept: list[Callable[[], None]] | None = []  # None after the first connection
        self._written = bot.output.written
        self._shares_output = False
        self._stderr = ""

    def send_start(self, start: MatchStart) -> None:
        if self._connection is not None:
            self._start_on(self._connection, start)
        else:
            self._keep(partial(self.send_start, start))

    def ask(self, pending: PendingDecision) -> None:
        if self._connection is not None:
            self._connection.ask(pending)
        else:
            self._keep(partial(self.ask, pending))

    def send_end(self, end: MatchEnd) -> None:
        if self._connection is not None:
            self._connection.end(end)
        self.close()

    def close(self) -> None:
        self._stderr = self.stderr()
        self._connection = None
        super().close()

    def stderr(self) -> str:
        if self._closed:
            return self._stderr
        output = self._bot.output.since(self._written)
        return self._not_told_apart() if output and self._shares_output else output

    def share_output(self) -> None:
        """From now on the output while the channel is open may be about another match."""
        self._shares_output = True

    def _not_told_apart(self) -> str:
        file = self._bot.shared_output
        where = "was not kept" if file is None else f"is in {file}"
        return (
            "[The process played several matches at once, so its output cannot be split by match."
            f" All of the output {where}; with matches_at_once = 1 each match has its own.]\n"
        )

    @property
    def handled_s(self) -> float:
        return self._connection.allowance.handled_s if self._connection is not None else 0.0

    @property
    def starved_s(self) -> float:
        return self._bot.starved_s

    # Called by the bot.

    @property
    def is_new(self) -> bool:
        """True until the bot has received anything of the match."""
        return self._kept is not None

    def introduce(self, connection: Connection) -> None:
        """The bot said hello, on its first stream or on another one."""
        self._connection = connection
        if self._kept is None:
            self.listener.restored()
        else:
            kept, self._kept = self._kept, None
            for send in kept:
                send()

    def lose(self, loss: BotLost) -> None:
        if not self._closed:
            self._connection = None
            self._kept = None
        super().lose(loss)

    def fail(self) -> None:
        """The arena cannot give the bot a process. If the listener responds by sending something,
        the channel raises the ArenaFailure."""
        self._kept = None
        self.listener.restored()

    def _keep(self, send: Callable[[], None]) -> None:
        if self._closed:
            return
        if loss := self._bot.given_up():
            self._lose_soon(loss)
        elif self._kept is not None:
            self._kept.append(send)
