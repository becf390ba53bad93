"""The seats of a match, as callers name them."""

from __future__ import annotations

from arena.errors import ArenaError, Kind


def check_seat(seat: int | None, seats: int, kind: Kind = Kind.WRONG_INPUT) -> None:
    """Raises ArenaError of this kind if a match of so many seats does not have the seat. None
    stands for all seats."""
    if seat is not None and not 0 <= seat < seats:
        raise ArenaError(
            kind, f"The match has seats 0 to {seats - 1}; there is no seat {seat}.", "seat"
        )
