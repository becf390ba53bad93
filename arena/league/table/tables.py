"""Seating a person at a new table, with the bounds on tables."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random, SystemRandom

from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league.competitions import checked_terms
from arena.league.job_rows import new_job
from arena.league.table.opponents import chosen_opponents
from arena.league.table.repeated import repeated
from arena.match import Seating
from arena.queue import Clock, Entrant, Origin
from arena.store.people import GUESTS, running_tables, seat_person
from arena.store.remote_bots import hash_of
from arena.store.schema import Bot, CompetitionState, Format, Partners, Table, Version
from sevens_games.engine import OptionValue

MOST_TABLES = 8
"""Each has its bots running for as long as a person thinks."""
MOST_FOR_GUESTS = 6
"""The others are kept for people with a token."""
MOST_A_PERSON = 2
"""The tables of a person, or of all guests from one address."""


@dataclass(frozen=True)
class Sitter:
    """The person who sits down.

    `owner`: GUESTS for a guest.
    `address`: the IP address of a guest.
    """

    owner: str
    address: str = ""


@dataclass(frozen=True)
class Seated:
    """A person has a seat. `key`: its secret, the token with which the person's program dials
    in."""

    table: Table
    key: str


@dataclass(frozen=True)
class _Places:
    """The seating of a table. `entrants`: the bots; the one in the person's place is ignored."""

    entrants: tuple[Entrant, ...]
    seating: Seating
    seed_text: str = ""
    origin: Origin | None = None


def sit_down(
    session: Session,
    sitter: Sitter,
    game: str,
    *,
    seat: int,
    options: Mapping[str, OptionValue],
    clock: Clock,
    seats: int | None = None,
    opponents: Sequence[str] = (),
    rng: Random | None = None,
) -> Seated:
    """Seats a person at a table with new deals. `opponents`: see `chosen_opponents`. Raises
    ArenaError and UnknownGame."""
    table = _new_table(game, seats, options, clock)
    if seat >= table.seats:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The table has {table.seats} seats, from 0; there is no seat {seat}.",
            "seat",
        )
    bots = chosen_opponents(session, game, opponents, table.seats - 1, rng or SystemRandom())
    entrants = [Entrant(bot=version.bot, version=version.digest) for version in bots]
    entrants.insert(seat, Entrant(bot="", version=""))
    return _seated(session, sitter, table, seat, _Places(tuple(entrants), _in_order(table.seats)))


def sit_down_again(
    session: Session,
    sitter: Sitter,
    match: str,
    *,
    seat: int,
    clock: Clock,
    choices: int = 0,
) -> Seated:
    """Seats a person in a recorded match, in the place of the bot at that seat: from its first
    decision, or after so many of its choices. Raises ArenaError."""
    what = repeated(session, match, seat, choices)
    table = _new_table(what.game, len(what.seating), what.options, clock)
    table.repeats = what.origin.match
    places = _Places(what.entrants, what.seating, what.seed_text, what.origin)
    return _seated(session, sitter, table, seat, places)


def _seated(session: Session, sitter: Sitter, table: Table, seat: int, places: _Places) -> Seated:
    """Adds the table, once it has a person and a job."""
    _check_bounds(session, sitter)
    version, key = seat_person(session, sitter.owner)
    job = new_job(table, _with(version, places.seating[seat], places.entrants), places.seed_text)
    job = job.model_copy(
        update={
            "seatings": (places.seating,),
            "origin": places.origin,
            "fresh": places.origin is not None,
            "unhurried": True,
        }
    )
    table.person, table.seat, table.address = version.bot, seat, sitter.address
    table.key_hash = hash_of(key)
    table.job = job.model_dump_json(exclude={"result_token"})
    session.add(table)
    session.flush()
    return Seated(table, key)


def _new_table(
    game: str, seats: int | None, options: Mapping[str, OptionValue], clock: Clock
) -> Table:
    """Returns a table without a person. Raises ArenaError and UnknownGame."""
    terms = checked_terms(
        "table",
        f"table-{secrets.token_hex(6)}",
        game,
        seats=seats,
        options=options,
        clock=clock,
        format=Format.SINGLE,
        partners=Partners.ANY,
    )
    return Table(**terms, state=CompetitionState.RUNNING)


def _check_bounds(session: Session, sitter: Sitter) -> None:
    """Raises ArenaError."""
    running = running_tables(session)
    if len(running) >= MOST_TABLES:
        raise ArenaError(
            Kind.NOT_NOW, f"All {MOST_TABLES} tables are taken. Try again when one is free."
        )
    if sitter.owner == GUESTS:
        addresses = Counter(table.address for table in running if table.address)
        if addresses.total() >= MOST_FOR_GUESTS:
            raise ArenaError(
                Kind.NOT_NOW,
                f"All {MOST_FOR_GUESTS} tables for guests are taken. Log in, or try again when one"
                " is free.",
            )
        theirs, whose = addresses[sitter.address], "Guests from your address"
    else:
        theirs = sum(_owner(session, table) == sitter.owner for table in running)
        whose = "You"
    if theirs >= MOST_A_PERSON:
        raise ArenaError(
            Kind.NOT_NOW,
            f"{whose} sit at {theirs} tables already: finish a match there, or leave one.",
        )


def _owner(session: Session, table: Table) -> str:
    return session.get_one(Bot, table.person).owner


def _with(person: Version, place: int, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Returns the entrants with the person at a place."""
    theirs = Entrant(bot=person.bot, version=person.digest, remote=True)
    return tuple(theirs if at == place else entrant for at, entrant in enumerate(entrants))


def _in_order(seats: int) -> Seating:
    return tuple(range(seats))
