"""Explains exceptions: the one place that turns whatever was raised into an ArenaError."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from arena.bots import ArenaFailure, UnknownBot
from arena.bots.sandbox import WrongRuntimes
from arena.disk import DiskFull, disk_trouble
from arena.errors import ArenaError, Kind
from arena.records import BadRecord
from sevens_games import UnknownGame

log = logging.getLogger(__name__)

STORE_TROUBLE = (OperationalError, PoolTimeout)
"""Raised by the store when it stays locked, or its database is unreachable."""

EXPLAINED: tuple[tuple[type[Exception], Kind, str], ...] = (
    (UnknownGame, Kind.NOT_FOUND, "game"),
    (UnknownBot, Kind.WRONG_INPUT, "bot"),
    (WrongRuntimes, Kind.WRONG_INPUT, "runtimes"),
    (BadRecord, Kind.UNUSABLE, "match"),
    (ArenaFailure, Kind.ARENA_FAILED, ""),
    (DiskFull, Kind.OUT_OF_SERVICE, "data"),
    *((trouble, Kind.OUT_OF_SERVICE, "data") for trouble in STORE_TROUBLE),
    (DBAPIError, Kind.ARENA_FAILED, "data"),
)
"""The exceptions of packages that know nothing of commands and calls, with the field at fault."""

KNOWN = (ArenaError, *(raised for raised, _, _ in EXPLAINED))
"""Every exception that `explained` knows by its type alone."""

NO_STORE = (
    "The arena cannot use its store at the moment; its log explains why. Try again in a minute, and"
    " contact the organiser if the problem persists."
)
GENERAL: Mapping[Kind, str] = {
    Kind.DAMAGED: NO_STORE,
    Kind.OUT_OF_SERVICE: NO_STORE,
    Kind.ARENA_FAILED: "The arena itself failed; its log explains why. Contact the organiser.",
}
"""The sentences that callers from outside get for the arena's own failures."""


def explained(error: Exception) -> ArenaError | None:
    """Returns the failure that an exception is, for the user of this machine; None if it is a bug
    in the arena itself."""
    if isinstance(error, ArenaError):
        return error
    for raised, kind, field in EXPLAINED:
        if isinstance(error, raised):
            return ArenaError(kind, _sentence(error), field)
    match error:
        case OSError() if sentence := disk_trouble(error):
            return ArenaError(Kind.OUT_OF_SERVICE, sentence)
        case UnicodeEncodeError() if _is_undecoded(error):
            return ArenaError(Kind.WRONG_INPUT, _undecoded())
        case ValueError() if isinstance(wrong := getattr(error, "field", None), str):
            return ArenaError(Kind.WRONG_INPUT, str(error), wrong)
        case _:
            return None


def answer_to(error: Exception) -> ArenaError:
    """Returns what a caller from outside learns of an exception. The details of the arena's own
    failures go to its log instead."""
    failure = explained(error)
    if failure is not None and failure.kind not in GENERAL:
        return failure
    kind = failure.kind if failure is not None else Kind.ARENA_FAILED
    if failure is not None and kind is Kind.OUT_OF_SERVICE:
        log.error("a call failed: %s", failure.sentence)
    else:
        log.error("a call failed", exc_info=error)
    return ArenaError(kind, GENERAL[kind])


def _is_undecoded(error: UnicodeEncodeError) -> bool:
    """Returns whether Python could not decode an argument, and passes its bytes on as halves of
    surrogate pairs; or whether a name has letters that file names cannot have in this locale."""
    wrong = error.object[error.start]
    return "\udc80" <= wrong <= "\udcff" or error.encoding == sys.getfilesystemencoding()


def _undecoded() -> str:
    locale = sys.getfilesystemencoding()
    if locale == "utf-8":
        return "An argument is not valid UTF-8."
    return (
        f"An argument has letters that the locale ({locale}) does not have: set LC_ALL=C.UTF-8, and"
        " run the command again."
    )


def _sentence(error: Exception) -> str:
    match error:
        case BadRecord():
            return f"This is not a valid record. {error}"
        case DBAPIError():
            return f"The store cannot be used at the moment: {error.orig}."
        case _:
            return str(error)
