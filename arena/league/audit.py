"""Compares the rows of a match with its record.

A program that can write the store can change the tables as well as the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.match_rows import match_row
from arena.records import BadRecord, Thinking
from arena.store.schema import Base, Job, Match, Record
from sevens.record.v1.match_record_pb2 import MatchRecord

Claim = tuple[str, object, object]
"""A column, the value that the record gives, and the value found."""


def check_rows(
    session: Session, match_id: str, record: MatchRecord, thinking: Sequence[Thinking]
) -> None:
    """Raises BadRecord, naming the first column that the record contradicts.

    `thinking`: the times of each seat's own decisions by the record.
    """
    for field, right, found in _claims(session, match_id, record, thinking):
        if right != found:
            raise BadRecord(
                field,
                f"The store's table has {found!r}, but the record, which agrees with the rules,"
                f" gives {right!r}.",
            )


def _claims(
    session: Session, match_id: str, record: MatchRecord, thinking: Sequence[Thinking]
) -> Iterator[Claim]:
    match = session.get_one(Match, match_id)
    job = session.get_one(Job, match.job)
    right = match_row(job.competition, record, thinking)
    yield from _columns("matches", right, match)
    yield "match_seats", len(right.seats), len(match.seats)
    for index, (seat, found) in enumerate(zip(right.seats, match.seats, strict=True)):
        yield from _columns(f"match_seats[{index}]", seat, found)
    yield "records.digest", record.digest, session.get_one(Record, match_id).digest


def _columns(name: str, right: Base, found: Base) -> Iterator[Claim]:
    for column in sa.inspect(type(right)).column_attrs:
        if column.key in ("fault_words", "surprise"):  # not in the record
            continue
        yield f"{name}.{column.key}", getattr(right, column.key), getattr(found, column.key)
