"""Deals of competitions that follow from a secret, to which the arena has committed before anything
was played."""

from __future__ import annotations

import secrets
from hashlib import sha256


def new_secret() -> str:
    """Returns a secret: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def seed_text(secret: str, agreed: str, place: str) -> str:
    """Returns the seed text of a group's deals, 64 hexadecimal digits: the SHA-256 of the secret,
    of what was agreed, and of the group's place in the competition.

    `agreed`: a digest, 64 hexadecimal digits, which the one who drew the secret could not choose.
    """
    return sha256(bytes.fromhex(secret) + bytes.fromhex(agreed) + place.encode()).hexdigest()


def round_seed_text(
    secret: str, plan_digest: str, round_number: int, group: int, table: int | None
) -> str:
    """Returns the seed text of a group's deals in a tournament. `table`: None if all tables of a
    round play the same deals."""
    place = f"round {round_number} group {group}"
    if table is not None:
        place += f" table {table}"
    return seed_text(secret, plan_digest, place)


def lot_text(secret: str, plan_digest: str) -> str:
    """Returns the text from which a tournament's lots follow; empty if one of them is."""
    return seed_text(secret, plan_digest, "lot") if secret and plan_digest else ""
