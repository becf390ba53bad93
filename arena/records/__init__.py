"""The match record: written, read, replayed, verified and rendered."""

from arena.records import private_log
from arena.records.private_log import (
    NOTE_LIMIT_BYTES,
    PRIVATE_SUFFIX,
    Note,
    PrivateLog,
    SeatLog,
    beginning,
)
from arena.records.record import BadRecord, SealedRecord, load_file, read, read_compressed, seal
from arena.records.replay import frames_of
from arena.records.verify import Verdict, verify_record

__all__ = [
    "NOTE_LIMIT_BYTES",
    "PRIVATE_SUFFIX",
    "BadRecord",
    "Note",
    "PrivateLog",
    "SealedRecord",
    "SeatLog",
    "Verdict",
    "beginning",
    "frames_of",
    "load_file",
    "private_log",
    "read",
    "read_compressed",
    "seal",
    "verify_record",
]
