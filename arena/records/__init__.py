"""The match record: written, read, replayed, verified and rendered."""

from arena.records import private_log
from arena.records.private_log import (
    PRIVATE_SUFFIX,
    Note,
    PrivateLog,
    SeatLog,
)
from arena.records.record import BadRecord, SealedRecord, load_file, read, read_compressed, seal
from arena.records.replay import frames_of
from arena.records.verify import Verdict, verify_record, verify_sealed

__all__ = [
    "PRIVATE_SUFFIX",
    "BadRecord",
    "Note",
    "PrivateLog",
    "SealedRecord",
    "SeatLog",
    "Verdict",
    "frames_of",
    "load_file",
    "private_log",
    "read",
    "read_compressed",
    "seal",
    "verify_record",
    "verify_sealed",
]
