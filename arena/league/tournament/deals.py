"""The deals of a tournament: they follow from a secret to which the arena has committed, and from
the field, which nobody knew when the secret was drawn.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256


def new_secret() -> str:
    """Returns a secret: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def seed_text(
    secret: str, field: Sequence[str], round_number: int, group: int, table: int | None
) -> str:
    """Returns the seed text of a group's deals, 64 hexadecimal digits: the SHA-256 of the secret,
    of the field and of the group's place in the tournament.

    `field`: the digests of the versions that took part from the first round, in the order of their
      numbers.
    `table`: None if all tables of a round play the same deals.
    """
    place = f"round {round_number} group {group}"
    if table is not None:
        place += f" table {table}"
    parts = (bytes.fromhex(secret), sha256("".join(field).encode()).digest(), place.encode())
    return sha256(b"".join(parts)).hexdigest()
