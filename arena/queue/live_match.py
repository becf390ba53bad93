"""The message with the state of a match in play."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from arena.queue.job import JobMessage, Message


class Extent(Message):
    """The extent of a match at one moment, in counts.

    `age_ms`: the time from that moment to the message.
    """

    age_ms: int = Field(ge=0)
    shuffles: int = Field(ge=0)
    picks: int = Field(ge=0)
    choices: int = Field(ge=0)
    faults: int = Field(ge=0)


class LiveFault(Message):
    """A seat's fault, as the record will state it."""

    seat: int = Field(ge=0)
    kind: str
    decision: int = Field(ge=0)
    sentence: str


class LiveMatch(JobMessage):
    """A match in play: its record so far.

    `attempt`, `match_number`: the number of the attempt at the job, and of the match in the job.
    `started_at`: RFC 3339.
    `choices`: seat, action, milliseconds.
    `extents`: the growth of the match, the oldest first: a viewer may be limited to its state some
      time ago.
    """

    attempt: int = Field(ge=1)
    match_number: int = Field(ge=1)
    started_at: str
    shuffles: Sequence[Sequence[str]]
    picks: Sequence[int]
    choices: Sequence[tuple[int, str, int]]
    faults: Sequence[LiveFault]
    extents: Sequence[Extent]
