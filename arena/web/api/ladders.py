"""Ladders: their terms, tables, curves and results among their versions."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from arena.league.views import (
    CompetitionCard,
    CurvePoint,
    LadderActivity,
    LadderRow,
    Meetings,
    competition_cards,
    crosstable,
    ladder_activity,
    ladder_rows,
    ladder_stamp,
    rating_curves,
)
from arena.store.queries import ladder_named
from arena.web.api.answers import answered, answered_anew
from arena.web.api.error_answer import RESPONSES
from arena.web.api.parameters import MOST, Limit, Name, Reading

TABLE_SIZE = 12
router = APIRouter(tags=["ladders"], responses=RESPONSES)


@dataclass(frozen=True)
class LadderAnswer:
    """A ladder. `clock`: milliseconds in the bank, and added before each decision."""

    name: str
    game: str
    rules_version: int
    options: dict[str, str]
    seats: int
    format: str
    partners: str
    state: str
    bank_ms: int
    increment_ms: int
    fault_quota: int
    activity: LadderActivity
    standings: list[LadderRow]


@dataclass(frozen=True)
class Curve:
    """A version's rating over the rated jobs of a ladder."""

    bot: str
    number: int
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True)
class Cell:
    """The results of one version against another, by their digests."""

    version: str
    opponent: str
    results: Meetings


@router.get("/ladders", response_model=list[CompetitionCard])
def list_ladders(request: Request, session: Reading, limit: Limit = MOST) -> Response:
    """All ladders with their leaders; those that go on come first."""
    return answered(request, competition_cards(session, kinds=["ladder"], limit=limit))


@router.get("/ladders/{name}", response_model=LadderAnswer)
def read_ladder(request: Request, session: Reading, name: Name) -> Response:
    """A ladder: its terms, what is going on, and its table, best first."""
    ladder = ladder_named(session, name)
    activity = ladder_activity(session, name)

    def content() -> LadderAnswer:
        return LadderAnswer(
            name=ladder.name,
            game=ladder.game,
            rules_version=ladder.rules_version,
            options=ladder.options,
            seats=ladder.seats,
            format=str(ladder.format),
            partners=str(ladder.partners),
            state=str(ladder.state),
            bank_ms=ladder.bank_ms,
            increment_ms=ladder.increment_ms,
            fault_quota=ladder.fault_quota,
            activity=activity,
            standings=ladder_rows(session, name),
        )

    return answered_anew(request, ladder_stamp(session, name, activity), content)


@router.get("/ladders/{name}/curves", response_model=list[Curve])
def read_curves(
    request: Request, session: Reading, name: Name, limit: Limit = TABLE_SIZE
) -> Response:
    """The rating curves of the best versions, each of at most 300 points."""
    rows = ladder_rows(session, name, limit=limit)
    curves = rating_curves(session, name, [row.version for row in rows])
    found = [Curve(row.bot, row.number, curves.get(row.version, ())) for row in rows]
    return answered(request, found)


@router.get("/ladders/{name}/crosstable", response_model=list[Cell])
def read_crosstable(
    request: Request, session: Reading, name: Name, limit: Limit = TABLE_SIZE
) -> Response:
    """The results of the best versions against each other; pairs that have not met are missing."""
    versions = [row.version for row in ladder_rows(session, name, limit=limit)]
    found = crosstable(session, name, versions)
    return answered(request, [Cell(*pair, results) for pair, results in found.items()])
