"""The command that asks the bot of a seat again."""

from __future__ import annotations

from arena.store.match_names import short_name


def rewind_command(match: str, seat: int, at: int | None = None) -> str:
    """Returns the command for a terminal. `at`: a decision of the match that the seat was asked."""
    which = f" --at {at}" if at is not None else ""
    return f"arena rewind {short_name(match)} FOLDER --seat {seat}{which}"
