"""Matches read on a server, and whose bots sat in them."""

from __future__ import annotations

import getpass
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from arena.cli.reading import reading
from arena.client.channel import calling
from arena.client.errors import CommandError
from arena.records.private_log import Note, PrivateLog, SeatLog
from arena.records.record import read
from arena.store.tables import Bot
from sevens.league.v1 import match_pb2
from sevens.record.v1.match_record_pb2 import MatchRecord


@dataclass(frozen=True)
class ServedMatch:
    """A match as a server tells it. `private_log`: as far as the reader may see it; `own_seats`:
    those of his bots."""

    record: MatchRecord
    private_log: PrivateLog
    kept_digest: str
    own_seats: tuple[int, ...]


def served_match(server: str, match: str) -> ServedMatch:
    """Reads a match on a server. Raises BadRecord."""
    with calling(server) as call:
        answer: match_pb2.ReadMatchResponse = call(
            "ReadMatch", match_pb2.ReadMatchRequest(match=match)
        )
    record = read(answer.record)
    seats = [SeatLog(bot=seat.bot) for seat in record.seats]
    for log in answer.logs:
        seats[log.seat] = _seat_log(seats[log.seat].bot, log)
    private = PrivateLog(match_id=record.match_id, seats=seats)
    return ServedMatch(record, private, answer.digest, tuple(answer.own_seats))


def own_seats(record: MatchRecord, served: tuple[int, ...] | None, data: Path) -> tuple[int, ...]:
    """The seats of the reader's bots: as the server has told them, or those of his user in the data
    folder, whose bots `arena ladder create` has entered in his name."""
    user = "you"
    if served is None:
        user = getpass.getuser()
        with reading(data, "mine") as session:
            own = set(session.scalars(sa.select(Bot.name).where(Bot.owner == user)))
        served = tuple(i for i, seat in enumerate(record.seats) if seat.bot in own)
    if not served:
        raise CommandError(f"None of the bots of this match belongs to {user}.", "mine")
    return served


def _seat_log(bot: str, log: match_pb2.SeatLog) -> SeatLog:
    return SeatLog(
        bot=bot,
        notes=[Note(decision=note.decision, text=note.text) for note in log.notes],
        stderr=log.stderr,
        stale_answers=log.stale_answers,
        start_ms=log.start_ms if log.HasField("start_ms") else None,
    )
