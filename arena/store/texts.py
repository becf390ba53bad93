"""The texts of a match, its record and its private log, which the store holds compressed."""

from __future__ import annotations

import zstandard
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.records import BadRecord
from arena.store.match_names import match_with
from arena.store.schema import PrivateLog, Record

SIZE_LIMIT_BYTES = 64 * 1024 * 1024  # of a text; the reader of a record bounds it further


class LostText(ArenaError):
    """A text that the store no longer has, or cannot read."""


class DamagedText(ValueError):
    """The stored bytes are no longer what was packed. Its text says how that was noticed."""


def record_text(session: Session, match_id: str) -> str:
    """Returns a match's record. Raises ArenaError, LostText if it has been pruned, and BadRecord
    if it is damaged."""
    match = match_with(session, match_id)
    record = session.get(Record, match.id)
    if record is None:
        raise LostText(
            Kind.GONE, f"The record of match {match.id} has been pruned; its digest is kept."
        )
    try:
        return unpacked(record.body)
    except DamagedText as error:
        raise BadRecord(
            "",
            f"The stored record of match {match.id} is damaged ({error}); only a backup of the data"
            " folder may still have it.",
        ) from None


def private_log_text(session: Session, match_id: str) -> str:
    """Returns the private log of a match. Raises ArenaError, LostText if it has been pruned, and
    DamagedText."""
    match = match_with(session, match_id)
    log = session.get(PrivateLog, match.id)
    if log is None:
        raise LostText(Kind.GONE, f"The private log of match {match.id} has been pruned.")
    return unpacked(log.body)


def packed(text: str) -> bytes:
    """Returns the text, compressed."""
    return zstandard.compress(text.encode())


def unpacked(body: bytes) -> str:
    """Returns the text that was packed. Raises DamagedText."""
    try:
        if zstandard.frame_content_size(body) > SIZE_LIMIT_BYTES:
            raise DamagedText(f"it claims more than {SIZE_LIMIT_BYTES} bytes")
        return zstandard.decompress(body).decode()
    except (zstandard.ZstdError, UnicodeDecodeError) as error:
        raise DamagedText(str(error)) from None
