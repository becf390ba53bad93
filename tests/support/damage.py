"""Damage to bytes, for tests that try random input."""

from __future__ import annotations

from random import Random


def damaged(raw: bytes, random: Random, piece: bytes) -> bytes:
    """Returns the bytes cut short, with one of them changed, with `piece` in the middle, or in
    another order."""
    at = random.randrange(len(raw) + 1)
    match random.randrange(4):
        case 0:
            return raw[:at]
        case 1:
            return raw[:at] + random.randbytes(1) + raw[at + 1 :]
        case 2:
            return raw[:at] + piece + raw[at:]
        case _:
            return raw[at:] + raw[:at]
