"""Matches that a user names: files with records, or matches of a server or a data folder."""

from __future__ import annotations

import getpass
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.client.arena import arena_at
from arena.client.folder_access import reading
from arena.errors import ArenaError, Kind
from arena.foreign_text import NotUtf8, decoded
from arena.operations.matches import read_played
from arena.records import PRIVATE_SUFFIX, PrivateLog, SeatLog, load_file, read
from arena.store.schema import Bot
from arena.store.texts import record_text
from sevens.record.v1.match_record_pb2 import MatchRecord


@dataclass(frozen=True)
class FoundMatch:
    """A match as its reader may see it.

    `record`: what happened.
    `private_log`: notes and stderr of bots; None if there is none, or none that can be read.
    `warning`: why the private log cannot be read; empty if it can.
    `digest`: the record's digest by the server; None if no server was asked.
    `own_seats`: seats of the reader's bots; None if no server was asked.
    """

    record: MatchRecord
    private_log: PrivateLog | None
    warning: str = ""
    digest: str | None = None
    own_seats: tuple[int, ...] | None = None


def find_match(name: str, data: Path, server: str = "") -> FoundMatch:
    """Finds a match: in a file, on the server if one is named, else in the data folder. Raises
    ArenaError and BadRecord."""
    if (path := file_named(name)) is not None:
        return _in_file(path)
    return match_of_arena(name, data, server)


def file_named(name: str) -> Path | None:
    """Returns the file of that name; None if the name is that of a match. Raises ArenaError."""
    path = Path(name)
    with suppress(OSError):  # the name is too long for a file
        if path.is_file():
            return path
    if path.suffix or "/" in name:
        raise ArenaError(Kind.WRONG_INPUT, f"There is no file {name}.", "match")
    return None


def match_of_arena(name: str, data: Path, server: str) -> FoundMatch:
    """Finds a match of an arena. Raises ArenaError and BadRecord."""
    with arena_at(server, data) as arena:
        played = arena.ask(read_played, name)
    record = read(played.record)
    seats = [
        played.logs.get(number, SeatLog(bot=seat.bot)) for number, seat in enumerate(record.seats)
    ]
    return FoundMatch(
        record,
        PrivateLog(match_id=record.match_id, seats=seats) if played.logs else None,
        warning=played.warning,
        digest=played.match.digest,
        own_seats=played.own_seats if server else None,
    )


def stored_record(session: Session, match: str) -> MatchRecord:
    """Returns the record of a match in the store. Raises ArenaError and BadRecord."""
    return read(record_text(session, match))


def own_seats(found: FoundMatch, data: Path) -> tuple[int, ...]:
    """Returns the seats of the reader's bots: by the server's account or, in a data folder, of the
    user's, in whose name `arena ladder create` enters bots. Raises ArenaError."""
    user, seats = "you", found.own_seats
    if seats is None:
        user = getpass.getuser()
        with reading(data, "mine") as session:
            own = set(session.scalars(sa.select(Bot.name).where(Bot.owner == user)))
        seats = tuple(i for i, seat in enumerate(found.record.seats) if seat.bot in own)
    if not seats:
        raise ArenaError(
            Kind.WRONG_INPUT, f"None of the bots of this match belongs to {user}.", "mine"
        )
    return seats


def _in_file(path: Path) -> FoundMatch:
    """`arena play` writes the private log next to the record."""
    record, private = load_file(path), path.with_suffix(PRIVATE_SUFFIX)
    if not private.is_file():
        return FoundMatch(record, None)
    try:
        return _with_log(record, decoded(private.read_bytes()))
    except NotUtf8 as error:
        return _without_log(record, error)


def _with_log(record: MatchRecord, text: str) -> FoundMatch:
    try:
        return FoundMatch(record, PrivateLog.from_json(text))
    except ValueError as error:
        return _without_log(record, error)


def _without_log(record: MatchRecord, error: ValueError) -> FoundMatch:
    """The record can be shown even if the private log is damaged."""
    reason = str(error).splitlines()[0]
    warning = f"The private log is damaged ({reason}): notes and stderr are not shown."
    return FoundMatch(record, None, warning)
