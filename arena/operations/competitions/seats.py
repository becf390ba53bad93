"""People who sit down at tables."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from arena.errors import ArenaError, Kind, naming
from arena.league.table import Sitter, sit_down_again
from arena.league.table import sit_down as seat_newly
from arena.operations.caller import CONTESTANTS, LOCAL_CALLER
from arena.operations.operation import MOST_VALUES, Changing, Number, Text, changes
from arena.operations.readable import readable_match
from arena.operations.requested_terms import NO_OPTIONS, Options, clock_of, options_of
from arena.store.people import GUESTS
from arena.views.table import Seated
from sevens_games import load

BANK_MS, INCREMENT_MS = 15 * 60_000, 60_000
"""The clock if nobody says otherwise."""

Opponents = Annotated[
    tuple[Text, ...],
    Field(
        max_length=MOST_VALUES,
        description="In the order of the other seats: NAME or NAME@VERSION; the arena draws a bot"
        " from the game's ladders for one that is empty or missing.",
    ),
]
OF_A_PAGE = " Only the arena's own pages say it."


@changes("POST", "/tables", CONTESTANTS)
def sit_down(
    call: Changing,
    game: Text = "",
    seat: Number = 0,
    options: Options = NO_OPTIONS,
    seats: Number = 0,
    opponents: Opponents = (),
    bank_ms: Number = BANK_MS,
    increment_ms: Number = INCREMENT_MS,
    match: Annotated[Text, Field(description="The match to repeat, instead of a game.")] = "",
    choices: Annotated[Number, Field(description="The number of its choices that are kept.")] = 0,
    person: Annotated[Text, Field(description="Empty: a guest." + OF_A_PAGE)] = "",
    address: Annotated[Text, Field(description="The address of a guest." + OF_A_PAGE)] = "",
) -> Seated:
    """Sit down at a new table: for a game with new deals, or in a recorded match. Seats 0: as many
    as is usual in the game."""
    sitter = _sitter(call, person, address)
    terms: dict[str, Any] = {"seat": seat, "clock": clock_of(bank_ms, increment_ms)}
    with call.store.writing() as session:
        if match:
            if game or options or seats or opponents:
                raise ArenaError(
                    Kind.WRONG_INPUT,
                    "A match that is repeated has its own game, options, seats and opponents: leave"
                    " them out.",
                    "match",
                )
            with naming("match"):
                readable_match(session, match)
            found = sit_down_again(session, sitter, match, choices=choices, **terms)
        else:
            rules = load(game)
            found = seat_newly(
                session,
                sitter,
                rules.slug,
                options=options_of(rules, options),
                seats=seats or None,
                opponents=opponents,
                **terms,
            )
        if not call.folder.running()(found.table.name):
            raise ArenaError(
                Kind.NOT_NOW, "No arena that plays tables runs at the moment: start `arena serve`."
            )
        return Seated(table=found.table.name, name=found.table.person, key=found.key)


def _sitter(call: Changing, person: str, address: str) -> Sitter:
    """Returns who sits down. Raises ArenaError."""
    if call.caller is LOCAL_CALLER:
        return Sitter(person or GUESTS, address)
    if person not in ("", call.caller.owner) or address:
        raise ArenaError(
            Kind.FORBIDDEN,
            "You sit down in your own name: leave `person` and `address` empty.",
            "person",
        )
    return Sitter(call.caller.owner)
