"""Finds a match that a user names: a file with its record, or a match of the store."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

from arena.cli.match_reading import served_match
from arena.cli.output import stderr
from arena.cli.reading import reading
from arena.client.errors import CommandError
from arena.records.private_log import PRIVATE_SUFFIX, PrivateLog
from arena.records.record import BadRecord, load_file, read
from arena.store.compression import DamagedText
from arena.store.matches import match_named, private_log_text, record_text
from arena.store.queries import NotFound
from sevens.record.v1.match_record_pb2 import MatchRecord


@dataclass(frozen=True)
class Found:
    """A match, with its private log if there is one. `own_seats`: those of the reader's bots, if a
    server has told them."""

    record: MatchRecord
    private_log: PrivateLog | None
    own_seats: tuple[int, ...] | None = None


def found(name: str, data: Path, server: str = "") -> Found:
    """The match of that name, from a file, a server if one is named, or the data folder. Raises
    BadRecord."""
    if (path := file_named(name)) is not None:
        # `arena play` puts the private log beside the record.
        beside = path.with_suffix(PRIVATE_SUFFIX)
        return Found(load_file(path), _readable(beside.read_bytes()) if beside.is_file() else None)
    if server:
        served = served_match(server, name)
        return Found(served.record, served.private_log, served.own_seats)
    with reading(data, "match") as session:
        match = match_named(session, name).match
        return Found(kept_record(session, match), _kept_log(session, match))


def file_named(name: str) -> Path | None:
    """The file of that name; None if the name is that of a match."""
    path = Path(name)
    if path.is_file():
        return path
    if path.suffix or "/" in name:
        raise CommandError(f"There is no file {name}.", "match")
    return None


def kept_record(session: Session, match: str) -> MatchRecord:
    """The record that the store keeps of a match. Raises BadRecord."""
    try:
        return read(record_text(session, match))
    except DamagedText as error:
        sentence = (
            f"What the store keeps of match {match} is damaged ({error}): only a copy of the data"
        )
        sentence = f"{sentence} folder can still have it."
        raise BadRecord("", sentence) from None


def _kept_log(session: Session, match: str) -> PrivateLog | None:
    try:
        return _readable(private_log_text(session, match))
    except NotFound:  # pruned
        return None
    except DamagedText as error:
        _tell_unreadable(error)
        return None


def _readable(text: str | bytes) -> PrivateLog | None:
    try:
        return PrivateLog.from_json(text)
    except ValueError as error:
        _tell_unreadable(error)
        return None


def _tell_unreadable(error: ValueError) -> None:
    """The record can be shown all the same."""
    reason = str(error).splitlines()[0]
    stderr.print(
        f"The private log is damaged ({reason}): notes and stderr are not shown.",
        style="yellow",
        markup=False,
    )
