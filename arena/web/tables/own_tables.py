"""The tables at which a visitor sits, remembered in their browser so that they find back."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from arena.store.people import table_with_key
from arena.store.schema import CompetitionState

COOKIE = "tables"
BETWEEN = "."  # keys consist of letters, digits, "-" and "_"
MOST, LONGEST = 4, 1000
FOR_A_DAY_S = 86_400


def remembered_keys(request: Request) -> Sequence[str]:
    """Returns the keys of the seats that a browser has taken lately, the latest first."""
    text = request.cookies.get(COOKIE, "")
    return [key for key in text[:LONGEST].split(BETWEEN) if key][:MOST]


def own_tables(session: Session, request: Request) -> list[tuple[str, str]]:
    """Returns the key and the game of each table at which the visitor still sits."""
    tables = [(key, table_with_key(session, key)) for key in remembered_keys(request)]
    return [
        (key, table.game)
        for key, table in tables
        if table is not None and table.state is CompetitionState.RUNNING
    ]


def remember(request: Request, response: Response, key: str) -> None:
    """Lets the visitor's browser remember a seat."""
    keys = [key, *remembered_keys(request)][:MOST]
    response.set_cookie(
        COOKIE,
        BETWEEN.join(keys),
        max_age=FOR_A_DAY_S,
        path="/play",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
