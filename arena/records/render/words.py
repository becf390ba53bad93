"""Formatting shared by logs and replays."""

from __future__ import annotations

from collections.abc import Iterable

from arena.foreign_text import visible
from arena.records.strict_json import cut
from sevens.record.v1 import match_record_pb2 as pb

NAME_WIDTH = 20


def name_of(record: pb.MatchRecord, seat: int) -> str:
    """Returns the bot's name, fit for a column."""
    return cut(visible(record.seats[seat].bot), NAME_WIDTH)


def seat_named(record: pb.MatchRecord, seat: int) -> str:
    return f"seat {seat} ({name_of(record, seat)})"


def seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f} s"


def event_words(verb: str, actor: int | None, arguments: Iterable[object]) -> str:
    words = " ".join([verb, *map(str, arguments)])
    return words if actor is None else f"seat {actor} {words}"
