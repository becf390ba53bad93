"""What the two ways to reach an arena, with threads and with asyncio, have in common."""

from random import uniform
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import grpc

METHOD = "/sevens.bot.v1.BotService/Play"
OPTIONS = (
    # How large a frame may be is the arena's to say, and it keeps to that.
    ("grpc.max_receive_message_length", -1),
    # Every attempt is its own: no waiting for what an earlier one has learnt.
    ("grpc.use_local_subchannel_pool", 1),
    # Notices that a far arena is gone; more often than every 5 minutes gRPC servers do not allow.
    ("grpc.keepalive_time_ms", 310_000),
)
# How long to wait for the arena to end a stream that the bot has closed.
LAST_WORDS_SECONDS = 5.0
# How long a crash may be delayed so that what has been answered is written.
FLUSH_SECONDS = 1.0
# Why a stream is over, when nothing has broken.
ENDED = "the arena ended the stream without a goodbye"


class Place(NamedTuple):
    """Where the arena is. `roots`: with TLS, the certificates to trust, in PEM; None: the usual."""

    address: str
    tls: bool = False
    roots: bytes | None = None


class Unreachable(Exception):
    """The arena cannot be reached any more; the text says since when and why."""


class Patience:
    """How a bot goes on when a stream breaks: it tries again, ever more slowly, for some time."""

    FIRST_PAUSE = 0.1
    LONGEST_PAUSE = 3.0
    # A stream that held so long was a good one, and the count of the time begins anew.
    GOOD_STREAM = 5.0

    def __init__(self, address: str) -> None:
        self.address = address
        # A socket on this machine that does not answer is soon known to be gone for good.
        self.limit = 2.0 if address.startswith("unix:") else 30.0
        self.broken_at: float | None = None
        self.pause = self.FIRST_PAUSE

    def after(self, welcomed_at: float | None, reason: str) -> float:
        """Returns the seconds to wait before the next attempt; Unreachable when it is enough."""
        now = monotonic()
        held = welcomed_at is not None and now - welcomed_at > self.GOOD_STREAM
        if held or self.broken_at is None:
            self.broken_at = now
            self.pause = self.FIRST_PAUSE
        pause = self.pause * uniform(0.7, 1.0)
        if now + pause > self.broken_at + self.limit:
            raise Unreachable(
                f"The arena at {self.address} has been out of reach for"
                f" {now - self.broken_at:.0f} s (limit: {self.limit:.0f} s): {reason}."
            )
        self.pause = min(2 * self.pause, self.LONGEST_PAUSE)
        return pause


def reason_of(error: "grpc.RpcError") -> str:
    return f"{error.details()} ({error.code().name})"
