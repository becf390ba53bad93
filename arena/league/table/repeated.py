"""A recorded match that a person plays again, from its deals or from one of its decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.queue import Entrant, Origin
from arena.records import check_seat, game_of, options_of, read
from arena.store.remote_bots import remote_names
from arena.store.schema import Version, VersionState
from arena.store.texts import record_text
from arena.views.matches.match import match_named
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games.engine import OptionValue


@dataclass(frozen=True)
class Repeated:
    """The terms of a table that repeats a recorded match.

    `entrants`: in the order of the match's; the person's seat still has the bot.
    `seating`: the entrant at each seat.
    `seed_text`: the text that the deals follow from; empty if from none.
    """

    game: str
    options: Mapping[str, OptionValue]
    entrants: tuple[Entrant, ...]
    seating: tuple[int, ...]
    seed_text: str
    origin: Origin


def repeated(session: Session, match: str, seat: int, choices: int) -> Repeated:
    """Returns what the match gives, if a person takes a seat after its first `choices`. Raises
    ArenaError."""
    record = _record(session, match)
    check_seat(seat, len(record.seats))
    if choices >= len(record.choices):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The match had {len(record.choices)} choices; sit down after fewer than that.",
            "choices",
        )
    for other, row in enumerate(record.seats):
        if other != seat:
            _check_plays_on(session, row.bot, row.version)
    source = record.deal_source
    by_entrant = sorted(record.seats, key=lambda row: row.entrant)
    return Repeated(
        game=record.game,
        options=options_of(record),
        entrants=tuple(Entrant(bot=row.bot, version=row.version) for row in by_entrant),
        seating=tuple(row.entrant for row in record.seats),
        seed_text=source.seed_text,
        origin=Origin(
            match=record.match_id,
            digest=record.digest,
            secret=source.secret,
            nonces=tuple(row.nonce for row in by_entrant) if source.secret else (),
            choices=tuple((choice.seat, choice.action) for choice in record.choices[:choices]),
        ),
    )


def _record(session: Session, match: str) -> MatchRecord:
    """Returns the record of a match whose rules this arena plays. Raises ArenaError and
    BadRecord."""
    with naming("match"):
        record = read(record_text(session, match_named(session, match).match))
    game_of(record)
    return record


def _check_plays_on(session: Session, bot: str, digest: str) -> None:
    """Raises ArenaError if a version cannot take its seat again."""
    version = session.get_one(Version, digest)
    if bot in remote_names(session):
        why = "is a program elsewhere, or a person, and would see the same cards again"
    elif version.state is not VersionState.ACTIVE:
        why = "has been retired"
    else:
        return
    raise ArenaError(
        Kind.WRONG_INPUT,
        f"{bot}@{version.number} {why}: this match cannot be played again. Choose another one.",
        "match",
    )
