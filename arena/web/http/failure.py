"""The part of a failure that a visitor learns."""

from __future__ import annotations

from arena.errors import ArenaError, Kind
from arena.failures import answer_to
from arena.records import BadRecord

NO_ANSWER = (
    "The arena does not answer at the moment, so it is not certain whether anything was changed."
    " Look again in a minute."
)


def failure_of(error: Exception) -> ArenaError:
    """Returns what a visitor learns of an exception: nothing about addresses at which the pages
    reach the running arena, and of a record only what is wrong with it."""
    if isinstance(error, BadRecord):
        return ArenaError(Kind.UNUSABLE, error.sentence)
    failure = answer_to(error)
    return ArenaError(failure.kind, NO_ANSWER) if failure.field == "server" else failure
