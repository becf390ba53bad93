"""How much a bot may send: what it was asked for, and some more."""

from __future__ import annotations

LIMIT_BYTES = 4 * 1024 * 1024
# An answer with the longest action text and note has a quarter of it.
EACH_BYTES = 8 * 1024
# What a frame costs that says nothing.
FRAME_BYTES = 64


class Allowance:
    """Grows with what the bot is told, never beyond its beginning; a bot that keeps talking without
    being asked uses it up, however small its frames are."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = LIMIT_BYTES

    def grant(self) -> None:
        """The bot is told something, which it may answer."""
        self._left = min(self._left + EACH_BYTES, LIMIT_BYTES)

    def spend(self, frame: bytes) -> bool:
        """The bot has sent a frame. Returns whether it may."""
        self._left -= len(frame) + FRAME_BYTES
        return self._left >= 0
