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


def drawn_digest(plan_digest: str, beacon_value: str) -> str:
    """Returns the digest from which, with the secret, the deals and lots of a tournament follow:
    the plan's or, with the value of a beacon, the SHA-256 of both."""
    if not beacon_value:
        return plan_digest
    return sha256(bytes.fromhex(plan_digest) + beacon_value.encode()).hexdigest()


def round_seed_text(
    secret: str, drawn: str, round_number: int, group: int, table: int | None
) -> str:
    """Returns the seed text of a group's deals in a tournament. `drawn`: its `drawn_digest`.
    `table`: None if all tables of a round play the same deals."""
    place = f"round {round_number} group {group}"
    if table is not None:
        place += f" table {table}"
    return seed_text(secret, drawn, place)


def lot_text(secret: str, drawn: str) -> str:
    """Returns the text from which a tournament's lots follow; empty if one of them is."""
    return seed_text(secret, drawn, "lot") if secret and drawn else ""


def seed_lot(lots: str, version: str) -> str:
    """Returns the lot of a version: the smallest of a field is the first seed."""
    return sha256(f"{lots} seed {version}".encode()).hexdigest()
