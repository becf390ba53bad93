"""The message that says how a match stands which is still in play."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from arena.queue.job import JobMessage, Message


class Extent(Message):
    """How much of a match there was at a moment: counts of what had happened by then.

    `age_ms`: how long before the message this was.
    """

    age_ms: int = Field(ge=0)
    shuffles: int = Field(ge=0)
    picks: int = Field(ge=0)
    choices: int = Field(ge=0)
    faults: int = Field(ge=0)


class LiveFault(Message):
    """A seat's fault, as its record will say it."""

    seat: int = Field(ge=0)
    kind: str
    decision: int = Field(ge=0)
    sentence: str


class LiveMatch(JobMessage):
    """A match in play: what its record holds so far.

    `attempt`, `match_number`: which attempt at the job, and which of its matches.
    `started_at`: RFC 3339.
    `choices`: seat, action, milliseconds.
    `extents`: how the match grew, the oldest first: a reader may be shown the match only as it was
      some time ago.
    """

    attempt: int = Field(ge=1)
    match_number: int = Field(ge=1)
    started_at: str
    shuffles: Sequence[Sequence[str]]
    picks: Sequence[int]
    choices: Sequence[tuple[int, str, int]]
    faults: Sequence[LiveFault]
    extents: Sequence[Extent]
