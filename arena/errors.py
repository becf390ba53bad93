"""The arena's failures: a sentence for people, a field for programs, a kind that every door
translates by one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import IntEnum, StrEnum
from typing import NamedTuple


class Exit(IntEnum):
    """The exit codes of every command."""

    DONE = 0
    ANSWER_IS_NO = 1  # done, but: verify mismatch, check failed, a bot at fault in `play`
    WRONG_INPUT = 2
    UNREACHABLE = 3  # a service is unreachable, or refused
    ARENA_FAILED = 4  # the arena's own failure
    BOT_FAILED = 5  # a comparison without a verdict, because a bot kept failing
    INTERRUPTED = 130


class Codes(NamedTuple):
    """The codes of a kind of failure: of a command, of an answer by HTTP, and of one by gRPC (the
    name of its status)."""

    exit: Exit
    http: int
    grpc: str


class Kind(StrEnum):
    """The kind of a failure."""

    WRONG_INPUT = "wrong-input"
    TOO_LARGE = "too-large"
    NOT_FOUND = "not-found"
    GONE = "gone"  # it existed, but has been pruned
    TAKEN = "taken"  # a name, or files, that belong to another
    NOT_NOW = "not-now"  # the state of things does not allow it
    UNUSABLE = "unusable"  # a record is damaged, or was made by other rules
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"  # to this caller, or until something is over
    TOO_MANY = "too-many"  # a limit or quota is used up
    TOO_SLOW = "too-slow"
    UNREACHABLE = "unreachable"
    DAMAGED = "damaged"  # the store of the data folder
    OUT_OF_SERVICE = "out-of-service"  # the arena's disk or store cannot be used at the moment
    ARENA_FAILED = "arena-failed"

    @property
    def exit(self) -> Exit:
        """The exit code of a command."""
        return CODES[self].exit

    @property
    def http(self) -> int:
        """The status of an answer by HTTP."""
        return CODES[self].http

    @property
    def grpc(self) -> str:
        """The name of the status of a call by gRPC."""
        return CODES[self].grpc


CODES: Mapping[Kind, Codes] = {
    Kind.WRONG_INPUT: Codes(Exit.WRONG_INPUT, 400, "INVALID_ARGUMENT"),
    Kind.TOO_LARGE: Codes(Exit.WRONG_INPUT, 413, "OUT_OF_RANGE"),
    Kind.NOT_FOUND: Codes(Exit.WRONG_INPUT, 404, "NOT_FOUND"),
    Kind.GONE: Codes(Exit.WRONG_INPUT, 410, "NOT_FOUND"),
    Kind.TAKEN: Codes(Exit.WRONG_INPUT, 409, "ALREADY_EXISTS"),
    Kind.NOT_NOW: Codes(Exit.WRONG_INPUT, 409, "FAILED_PRECONDITION"),
    Kind.UNUSABLE: Codes(Exit.WRONG_INPUT, 409, "DATA_LOSS"),
    Kind.UNAUTHENTICATED: Codes(Exit.UNREACHABLE, 401, "UNAUTHENTICATED"),
    Kind.FORBIDDEN: Codes(Exit.UNREACHABLE, 403, "PERMISSION_DENIED"),
    Kind.TOO_MANY: Codes(Exit.UNREACHABLE, 429, "RESOURCE_EXHAUSTED"),
    Kind.TOO_SLOW: Codes(Exit.UNREACHABLE, 408, "DEADLINE_EXCEEDED"),
    Kind.UNREACHABLE: Codes(Exit.UNREACHABLE, 503, "UNAVAILABLE"),
    Kind.DAMAGED: Codes(Exit.WRONG_INPUT, 503, "UNAVAILABLE"),
    Kind.OUT_OF_SERVICE: Codes(Exit.ARENA_FAILED, 503, "UNAVAILABLE"),
    Kind.ARENA_FAILED: Codes(Exit.ARENA_FAILED, 500, "INTERNAL"),
}
"""The only translation of kinds. A status by gRPC means the first kind that has it."""


def kind_of_status(name: str) -> Kind:
    """Returns the kind of failure that a gRPC status of this name means to its caller."""
    return next((kind for kind in Kind if kind.grpc == name), Kind.ARENA_FAILED)


class ArenaError(Exception):
    """A failure that is explained to people.

    `kind`: what it means to programs.
    `sentence`: what was wrong and what to do.
    `field`: the argument, option or parameter that was wrong; empty if none was.
    """

    def __init__(self, kind: Kind, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence
        self.field = field


@contextmanager
def naming(field: str) -> Iterator[None]:
    """Blames this field for whatever is not found in the block."""
    try:
        yield
    except ArenaError as error:
        if error.kind is not Kind.NOT_FOUND:
            raise
        raise ArenaError(error.kind, error.sentence, field) from None
