"""Limits the unsolicited bytes of a bot, and counts the time that the arena spends on parsing."""

from __future__ import annotations

from arena.clock import monotonic

# Bytes that a bot may send without being asked, and those that each message to it and each second
# add: four times the longest answer with the longest note, and little.
UNASKED_BYTES = 4 * 1024 * 1024
BYTES_A_MESSAGE = 16 * 1024
BYTES_A_SECOND = 64 * 1024
# Every frame costs these besides its own bytes, and so do every ENTRIES_A_FRAME of its entries:
# handling an empty frame takes as long as parsing some ten thousand bytes.
FRAME_BYTES = 4 * 1024
ENTRIES_A_FRAME = 16
# A bot has one stream, and opens another when that breaks.
STREAMS = 32
STREAMS_A_SECOND = 0.5


class Bucket:
    """A token bucket: holds `capacity` at most, and is full in the beginning."""

    __slots__ = ("_capacity", "_left", "_per_second", "_since")

    def __init__(self, capacity: float, per_second: float) -> None:
        self._capacity = self._left = capacity
        self._per_second = per_second
        self._since = monotonic()

    def add(self, amount: float) -> None:
        self._left = min(self._left + amount, self._capacity)

    def take(self, amount: float, now: float) -> bool:
        """Takes the amount, or returns False if there is less. `now`: in seconds of
        `arena.clock`."""
        left = min(self._left + (now - self._since) * self._per_second, self._capacity)
        self._since = now
        enough = left >= amount
        self._left = left - amount if enough else left
        return enough


class Allowance:
    """The allowance of one process or remote program, shared by all of its streams. Without it
    the arena would be busy with the bot that sends most, and play fewer matches of others.

    `handled_s`: the seconds in which the event loop has done nothing but parse the bot's frames.
    `heard_bytes`: the bytes of its frames.
    """

    __slots__ = ("_bytes", "_streams", "handled_s", "heard_bytes")

    def __init__(self) -> None:
        self.handled_s = 0.0
        self.heard_bytes = 0
        self._bytes = Bucket(UNASKED_BYTES, BYTES_A_SECOND)
        self._streams = Bucket(STREAMS, STREAMS_A_SECOND)

    def asked(self) -> None:
        """A message was sent to the bot, which may answer it."""
        self._bytes.add(BYTES_A_MESSAGE)

    def take_stream(self) -> bool:
        """Returns whether the bot may open one more stream now."""
        return self._streams.take(1, monotonic())

    def take_frame(self, size: int, at: float) -> bool:
        """Returns whether the bot was allowed to send a frame of that many bytes, which arrived at
        `at` seconds of `arena.clock`."""
        self.heard_bytes += size
        return self._bytes.take(size + FRAME_BYTES, at)

    def take_entries(self, count: int, at: float) -> bool:
        """Returns the same of a frame's accepts and answers."""
        return self._bytes.take(count // ENTRIES_A_FRAME * FRAME_BYTES, at)
