"""Refusals: how the server declines a call, and what a caller learns of a failure."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn, TypeAlias

import grpc
import grpc.aio
from sqlalchemy import exc

from arena.disk import DiskFull, is_full
from arena.errors import CommandError
from arena.store.queries import NotFound, NotNow
from arena.store.tokens import WrongOwner
from arena.store.versions import NotYours
from arena.tournament import TournamentError

log = logging.getLogger(__name__)

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

FIELD = "sevens-field"
SENTENCE_BYTES = 1500  # the status of a call travels in a header

# The store raises these when it stays locked, or its database is unreachable.
STORE_TROUBLE = (exc.OperationalError, exc.TimeoutError)


class Refusal(Exception):
    """Ends a call. Its text is a sentence for the caller: what was wrong and what to do.

    `code`: the status of the call.
    `field`: the argument that was wrong; empty if none was.
    """

    def __init__(self, code: grpc.StatusCode, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.field = field


# Exceptions that a caller's mistake raises in the store, each with its status and field.
MISTAKES: Mapping[type[Exception], tuple[grpc.StatusCode, str]] = {
    NotFound: (grpc.StatusCode.NOT_FOUND, "name"),
    NotNow: (grpc.StatusCode.FAILED_PRECONDITION, "name"),
    NotYours: (grpc.StatusCode.ALREADY_EXISTS, "name"),
    WrongOwner: (grpc.StatusCode.INVALID_ARGUMENT, "owner"),
}


def invalid(sentence: str, field: str) -> Refusal:
    """Returns the refusal of an argument that could never be right."""
    return Refusal(grpc.StatusCode.INVALID_ARGUMENT, sentence, field)


def exhausted(sentence: str) -> Refusal:
    """Returns the refusal of a call that would exceed a limit now."""
    return Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence)


@contextmanager
def naming(field: str) -> Iterator[None]:
    """Turns a NotFound into a Refusal that names this field."""
    try:
        yield
    except NotFound as error:
        raise Refusal(grpc.StatusCode.NOT_FOUND, str(error), field) from None


def refusal_of(failure: Exception) -> Refusal | None:
    """Returns the refusal that a caller's mistake deserves; None if the arena itself failed."""
    if isinstance(failure, Refusal):
        return failure
    if isinstance(failure, CommandError | TournamentError):
        return invalid(failure.sentence, failure.field)
    if type(failure) in MISTAKES:
        code, field = MISTAKES[type(failure)]
        return Refusal(code, str(failure), field)
    return None


def explained(failure: Exception) -> Refusal:
    """Returns what the caller learns of a failure; the details of the arena's own go to its log."""
    refusal = refusal_of(failure)
    if refusal is not None:
        return refusal
    log.error("a call failed", exc_info=failure)
    if isinstance(failure, DiskFull) or (isinstance(failure, OSError) and is_full(failure)):
        return Refusal(
            grpc.StatusCode.UNAVAILABLE,
            "The disk of the arena is full, and nothing was stored. Try again later, and contact"
            " the organiser if the problem persists.",
        )
    if isinstance(failure, STORE_TROUBLE):
        return Refusal(
            grpc.StatusCode.UNAVAILABLE,
            "The arena cannot use its store at the moment; its log says why. Try again in a minute,"
            " and contact the organiser if the problem persists.",
        )
    sentence = "The arena itself failed; its log explains why. Contact the organiser."
    return Refusal(grpc.StatusCode.INTERNAL, sentence)


async def refuse(context: Context, refusal: Refusal) -> NoReturn:
    """Ends a call by raising. The field marks the sentence as ours, even when it is empty; gRPC's
    own errors carry none."""
    await context.abort(
        refusal.code,
        sendable(str(refusal), SENTENCE_BYTES),
        ((FIELD, refusal.field),),
    )


def sendable(text: str, limit_bytes: int | None = None) -> str:
    """Returns the text as valid UTF-8, cut to the limit; file names need not be Unicode."""
    return text.encode(errors="backslashreplace")[:limit_bytes].decode(errors="ignore")
