"""Faults: the reasons for which the arena plays for a seat from some decision on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The kinds of fault, by the names that records use."""

    START_FAILED = "start-failed"
    TIMEOUT = "timeout"
    DISCONNECTED = "disconnected"
    CRASHED = "crashed"
    ILLEGAL_ACTION = "illegal-action"
    PROTOCOL_ERROR = "protocol-error"
    RESOURCE_LIMIT = "resource-limit"


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat's fault.

    `decision`: the seat's own count of its decisions, from 1; 0 before the first.
    `sentence`: the arena's observation, which everyone may read.
    `words`: the bot's own text, which only its owner and organisers may read.
    """

    seat: int
    kind: FaultKind
    decision: int
    sentence: str
    words: str = ""

    @property
    def whole(self) -> str:
        """The sentence followed by the words, for the bot's owner."""
        return f"{self.sentence} {self.words}".rstrip()
