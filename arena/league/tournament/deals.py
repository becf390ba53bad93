"""Which group of a tournament plays which deals."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from arena.league.deals import seed_text as seed_text_of


def seed_text(
    secret: str, field: Sequence[str], round_number: int, group: int, table: int | None
) -> str:
    """Returns the seed text of a group's deals: it follows from the secret and from the field,
    which nobody knew when the secret was drawn.

    `field`: the digests of the versions that took part from the first round, in the order of their
      numbers.
    `table`: None if all tables of a round play the same deals.
    """
    place = f"round {round_number} group {group}"
    if table is not None:
        place += f" table {table}"
    return seed_text_of(secret, sha256("".join(field).encode()).hexdigest(), place)
