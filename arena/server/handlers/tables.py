"""Sitting down at a table."""

from __future__ import annotations

from arena.errors import ArenaError, Kind, naming
from arena.games import load
from arena.server.auth import LOCAL_CALLER
from arena.server.handlers.call import Call
from arena.server.handlers.readable import readable_match
from arena.server.handlers.terms import clock_of, options_of
from arena.store.people import GUESTS
from sevens.league.v1.table_pb2 import SitDownRequest, SitDownResponse

BANK_MS, INCREMENT_MS = 15 * 60_000, 60_000
"""The clock if nobody says otherwise."""


def sit_down(call: Call, request: SitDownRequest) -> SitDownResponse:
    """Seats a person at a new table. Raises ArenaError."""
    owner = _sitter(call, request)
    _set_clock(request)
    terms = {"seat": request.seat, "clock": clock_of(request)}
    with call.store.writing() as session:
        if request.match:
            _check_not_both(request)
            with naming("match"):
                readable_match(session, request.match)
            terms |= {"choices": request.choices}
            table, key = call.league.tables.sit_down_again(
                session, owner, request.address, request.match, **terms
            )
        else:
            game = load(request.game)
            terms |= {
                "options": options_of(game, request.options),
                "seats": request.seats or None,
                "opponents": list(request.opponents),
            }
            table, key = call.league.tables.sit_down(
                session, owner, request.address, game.slug, **terms
            )
        if not call.league.is_run(table.name):
            raise ArenaError(
                Kind.NOT_NOW, "No arena that plays tables runs at the moment: start `arena serve`."
            )
        return SitDownResponse(table=table.name, name=table.person, key=key)


def _sitter(call: Call, request: SitDownRequest) -> str:
    """Returns the name in which somebody sits down. Raises ArenaError."""
    if call.caller is LOCAL_CALLER:
        return request.person or GUESTS
    if request.person not in ("", call.caller.owner) or request.address:
        raise ArenaError(
            Kind.FORBIDDEN,
            "You sit down in your own name: leave `person` and `address` empty.",
            "person",
        )
    return call.caller.owner


def _set_clock(request: SitDownRequest) -> None:
    if not request.HasField("bank_ms"):
        request.bank_ms = BANK_MS
    if not request.HasField("increment_ms"):
        request.increment_ms = INCREMENT_MS


def _check_not_both(request: SitDownRequest) -> None:
    """Raises ArenaError if a match is to be repeated on other terms than its own."""
    if request.game or request.options or request.seats or request.opponents:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "A match that is repeated has its own game, options, seats and opponents: leave them"
            " out.",
            "match",
        )
