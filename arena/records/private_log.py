"""The private log of a match, which only the owners of its bots may read.

It is a second document next to the record, because a record is public and reveals neither a bot's
notes nor its output.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from arena.foreign_text import (
    NOTE_LIMIT_BYTES,
    STDERR_LIMIT_BYTES,
    WORDS_LIMIT_BYTES,
    beginning,
    ending,
)

PRIVATE_SUFFIX = ".private.json"  # of the log's file, next to the record's

NoteText = Annotated[str, AfterValidator(lambda text: beginning(text, NOTE_LIMIT_BYTES))]
Stderr = Annotated[str, AfterValidator(lambda text: ending(text, STDERR_LIMIT_BYTES))]
Words = Annotated[str, AfterValidator(lambda text: beginning(text, WORDS_LIMIT_BYTES))]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Note(_Part):
    """A note that a bot attached to an answer. `decision`: the seat's own count, from 1."""

    decision: int = Field(ge=1)
    text: NoteText


class SeatLog(_Part):
    """The private part of one seat.

    `stale_answers`: the number of answers that arrived when none was expected.
    `start_ms`: milliseconds from the match's start to the bot's acceptance; None if it never
      accepted.
    `fault_words`: the bot's own text at its fault.
    """

    bot: str
    notes: list[Note] = []
    stderr: Stderr = ""
    stale_answers: int = Field(default=0, ge=0)
    start_ms: int | None = Field(default=None, ge=0)
    fault_words: Words = ""


class PrivateLog(_Part):
    """A match's private log; `seats` by seat. Content beyond a bound is cut, never refused."""

    match_id: str
    seats: list[SeatLog]

    def to_json(self) -> str:
        return self.model_dump_json()

    @classmethod
    def from_json(cls, text: str | bytes) -> PrivateLog:
        """Reads a private log. Raises ValueError if the text is not one."""
        return cls.model_validate_json(text)


def shown_logs(
    private: PrivateLog | None, seats: Collection[int] | None = None
) -> dict[int, SeatLog]:
    """Returns the logs that may be shown, by seat: those of `seats`, or all if it is None."""
    logs = enumerate(private.seats) if private is not None else ()
    return {seat: log for seat, log in logs if seats is None or seat in seats}
