"""Bots and their owners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from arena.errors import ArenaError, Kind
from arena.league.views import (
    BotCard,
    Histogram,
    OpponentResults,
    PlaceResults,
    bot_card,
    decision_times,
    owner_cards,
    results_by_opponent,
    results_by_seat,
    results_by_size,
)
from arena.web.api.answers import answered
from arena.web.api.error_answer import RESPONSES
from arena.web.api.parameters import LONGEST_NAME, Limit, Name, Reading

OPPONENTS = 100
router = APIRouter(tags=["bots"], responses=RESPONSES)


@dataclass(frozen=True)
class BotResults:
    """What versions of a bot have achieved. `times`: None if no decision is known."""

    opponents: list[OpponentResults]
    seats: list[PlaceResults]
    sizes: list[PlaceResults]
    times: Histogram | None


@router.get("/bots/{bot}", response_model=BotCard)
def read_bot(request: Request, session: Reading, bot: Name) -> Response:
    """A bot with its versions, the latest first, and their places on ladders."""
    return answered(request, bot_card(session, bot))


@router.get("/bots/{bot}/results", response_model=BotResults)
def read_results(
    request: Request,
    session: Reading,
    bot: Name,
    version: Annotated[int, Query(ge=0, le=10**9, description="Its number; 0: all.")] = 0,
    competition: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
    limit: Limit = OPPONENTS,
) -> Response:
    """Results by opponent, seat and size of table, and the times of decisions."""
    card = bot_card(session, bot)
    versions = [one.version for one in card.versions if version in (0, one.number)]
    if not versions:
        raise ArenaError(Kind.NOT_FOUND, f"{bot} has no version {version}.")
    results = BotResults(
        opponents=results_by_opponent(session, versions, competition, limit),
        seats=results_by_seat(session, versions, competition),
        sizes=results_by_size(session, versions, competition),
        times=decision_times(session, versions, competition),
    )
    return answered(request, results)


@router.get("/owners/{owner}", response_model=list[BotCard])
def read_owner(request: Request, session: Reading, owner: Name) -> Response:
    """The bots of an owner, by name."""
    return answered(request, owner_cards(session, owner))
