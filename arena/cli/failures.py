"""Translates failures of the packages below into sentences.

It imports all of them; so `run` imports it only when a command has failed.
"""

from __future__ import annotations

import sys

from sqlalchemy.exc import DBAPIError

from arena.bots import ArenaFailure
from arena.bots.sandbox import WrongRuntimes
from arena.disk import DiskFull, disk_trouble
from arena.errors import CommandError, Exit
from arena.games import UnknownGame
from arena.queue import QueueUnreachable, ValkeyDidNotStart, WrongAddress, WrongKey
from arena.records import BadRecord
from arena.server import CannotListen
from arena.store.data_folder import FolderInUse, WrongDataFolder
from arena.tournament import NoDutchLibrary

FAILURES: tuple[tuple[type[Exception], str, Exit], ...] = (
    (UnknownGame, "game", Exit.WRONG_INPUT),
    (BadRecord, "match", Exit.WRONG_INPUT),
    (WrongDataFolder, "data", Exit.WRONG_INPUT),
    (WrongRuntimes, "runtimes", Exit.WRONG_INPUT),
    (WrongAddress, "redis", Exit.WRONG_INPUT),
    (WrongKey, "key_file", Exit.WRONG_INPUT),
    (NoDutchLibrary, "pairing", Exit.WRONG_INPUT),
    (FolderInUse, "data", Exit.UNREACHABLE),
    (QueueUnreachable, "redis", Exit.UNREACHABLE),
    (CannotListen, "listen", Exit.ARENA_FAILED),
    (ValkeyDidNotStart, "data", Exit.ARENA_FAILED),
    (DiskFull, "data", Exit.ARENA_FAILED),
    (DBAPIError, "data", Exit.ARENA_FAILED),
    (ArenaFailure, "", Exit.ARENA_FAILED),
)
"""Each failure with the option that it concerns and the exit code."""


def explained(error: Exception) -> CommandError | None:
    """Returns what to tell the user about a failure; None if it is a bug in the arena itself."""
    for kind, field, code in FAILURES:
        if isinstance(error, kind):
            return CommandError(_sentence(error), field, code)
    match error:
        case OSError() if sentence := disk_trouble(error):
            return CommandError(sentence, "", Exit.ARENA_FAILED)
        case UnicodeEncodeError() if _is_undecoded(error):
            return CommandError(_undecoded(), "", Exit.WRONG_INPUT)
        case _:
            return None


def _is_undecoded(error: UnicodeEncodeError) -> bool:
    """Returns whether Python could not decode an argument, and passes its bytes on as halves of
    surrogate pairs; or whether a name has letters that file names cannot have in this locale."""
    wrong = error.object[error.start]
    return "\udc80" <= wrong <= "\udcff" or error.encoding == sys.getfilesystemencoding()


def _undecoded() -> str:
    locale = sys.getfilesystemencoding()
    if locale == "utf-8":
        return "An argument has bytes that are not UTF-8; names and addresses have none."
    return (
        f"An argument has letters that the locale ({locale}) does not know: set LC_ALL=C.UTF-8, and"
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
