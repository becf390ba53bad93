"""Faults: the reasons why the arena plays for a seat from some decision on."""

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
    `sentence`: what happened, for the bot's owner.
    """

    seat: int
    kind: FaultKind
    decision: int
    sentence: str
