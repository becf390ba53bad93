"""The parts of a connection that plain and asynchronous bots share."""

import sys
from collections.abc import Callable
from math import inf
from random import uniform
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import grpc

METHOD = "/sevens.bot.v1.BotService/Play"
OPTIONS = (
    # The arena decides how large a frame may be, and observes the limit itself.
    ("grpc.max_receive_message_length", -1),
    # Attempts are independent: none waits because an earlier one failed.
    ("grpc.use_local_subchannel_pool", 1),
    # Notices when a remote arena has vanished. gRPC servers allow only one ping in 5 minutes.
    ("grpc.keepalive_time_ms", 310_000),
    # A bot that was frozen between two matches reads the answer to its last ping when it wakes, and
    # must not take it for late. Pings that keep the connection alive have a limit of their own.
    ("grpc.http2.ping_timeout_ms", 2**31 - 1),
)
# The time to wait for the arena to end a stream that the bot has closed.
LAST_WORDS_SECONDS = 5.0
# The time by which a crash may be delayed so that answers already given are written.
FLUSH_SECONDS = 1.0
# The reason for the end of a stream that did not break.
ENDED = "the arena ended the stream without a goodbye"


class Place(NamedTuple):
    """The arena's address. `roots`: with TLS, the certificates to trust, in PEM; None: gRPC's."""

    address: str
    tls: bool = False
    roots: bytes | None = None


class Unreachable(Exception):
    """The arena can no longer be reached; the text says since when and why."""


class Patience:
    """The backoff after a stream breaks: the bot tries again, ever more slowly. A distant arena may
    be away for minutes, and is never given up."""

    FIRST_PAUSE = 0.1
    # At first, when a match may be waiting for the bot, and after QUICK_FOR.
    LONGEST_PAUSE = 3.0
    QUICK_FOR = 30.0
    LONGEST_LATER = 30.0
    # After a stream that held this long, the time is counted from zero again.
    GOOD_STREAM = 5.0

    def __init__(self, address: str, clock: Callable[[], float] = monotonic) -> None:
        self.address = address
        self._clock = clock
        self.is_distant = not address.startswith("unix:")
        # If a socket on this machine does not answer, its arena has almost certainly ended.
        self.limit = inf if self.is_distant else 2.0
        self.broken_at: float | None = None
        self.pause = self.FIRST_PAUSE

    def after(self, welcomed_at: float | None, reason: str) -> float:
        """Returns the seconds to wait before the next attempt. Raises Unreachable to give up."""
        now = self._clock()
        held = welcomed_at is not None and now - welcomed_at > self.GOOD_STREAM
        if held or self.broken_at is None:
            self.broken_at = now
            self.pause = self.FIRST_PAUSE
            if self.is_distant:
                print(
                    f"The arena at {self.address} cannot be reached ({reason}). Trying until it"
                    " answers.",
                    file=sys.stderr,
                    flush=True,
                )
        pause = self.pause * uniform(0.7, 1.0)
        if now + pause > self.broken_at + self.limit:
            raise Unreachable(
                f"The arena at {self.address} has been out of reach for"
                f" {now - self.broken_at:.0f} s (limit: {self.limit:.0f} s): {reason}."
            )
        is_quick = now - self.broken_at < self.QUICK_FOR
        self.pause = min(2 * self.pause, self.LONGEST_PAUSE if is_quick else self.LONGEST_LATER)
        return pause


def reason_of(error: "grpc.RpcError") -> str:
    return f"{error.details()} ({error.code().name})"
