"""The match record: written, read, replayed, verified and rendered."""

from arena.records import private_log
from arena.records.private_log import (
    PRIVATE_SUFFIX,
    Note,
    PrivateLog,
    SeatLog,
)
from arena.records.record import (
    BadRecord,
    SealedRecord,
    canonical,
    load_file,
    read,
    read_compressed,
    seal,
)
from arena.records.replay import FaultMoment, fault_moment, frames_of, replay
from arena.records.seats import check_seat
from arena.records.setup import game_of, options_of
from arena.records.thinking import Thinking, bounds_of, bucket_of
from arena.records.timeline import ChosenBy, Step
from arena.records.verification import Verdict, verify_record, verify_sealed
from arena.records.views import View, views_of

__all__ = [
    "PRIVATE_SUFFIX",
    "BadRecord",
    "ChosenBy",
    "FaultMoment",
    "Note",
    "PrivateLog",
    "SealedRecord",
    "SeatLog",
    "Step",
    "Thinking",
    "Verdict",
    "View",
    "bounds_of",
    "bucket_of",
    "canonical",
    "check_seat",
    "fault_moment",
    "frames_of",
    "game_of",
    "load_file",
    "log_document",
    "options_of",
    "private_log",
    "read",
    "read_compressed",
    "replay",
    "seal",
    "verify_record",
    "verify_sealed",
    "views_of",
]
