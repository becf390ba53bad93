"""Deals that follow from a secret to which the arena has committed before anything was played."""

from __future__ import annotations

import secrets
from hashlib import sha256


def new_secret() -> str:
    """Returns a secret: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def seed_text(secret: str, agreed: str, place: str) -> str:
    """Returns the seed text of a group's deals, 64 hexadecimal digits: the SHA-256 of the secret,
    of what was agreed, and of the group's place in the competition.

    `agreed`: a digest, 64 hexadecimal digits, which whoever drew the secret could not choose.
    """
    return sha256(bytes.fromhex(secret) + bytes.fromhex(agreed) + place.encode()).hexdigest()
