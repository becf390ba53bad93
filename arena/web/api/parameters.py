"""What several addresses of the API take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Path, Query, Request
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.server import SCHEME, Caller
from arena.store import tokens
from arena.store.matches import MatchFilter, from_query
from arena.web.site import site_of
from arena.web.viewer import viewer_of

MOST = 200
LONGEST_NAME = 200

Name = Annotated[str, Path(max_length=LONGEST_NAME)]
Limit = Annotated[int, Query(ge=1, le=MOST, description="At most so many.")]
After = Annotated[
    str,
    Query(max_length=LONGEST_NAME, description="`next` of the page before; empty: from the start."),
]
PAGING = ("after", "limit")


def _session(request: Request) -> Iterator[Session]:
    with site_of(request).store.reading() as session:
        yield session


Reading = Annotated[Session, Depends(_session)]
"""A read transaction for as long as the answer is made."""


def _caller(request: Request, session: Reading) -> Caller | None:
    """Returns who asks: by `Authorization: Bearer TOKEN`, or by the cookie of a browser."""
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != SCHEME:
        return viewer_of(request)
    token = tokens.verified(session, text)
    if token is None:
        raise ArenaError(
            Kind.UNAUTHENTICATED,
            "The token is unknown or was revoked; ask an organiser for a new one.",
            "token",
        )
    return Caller(token.owner, token.role)


Asking = Annotated[Caller | None, Depends(_caller)]


def _wanted(
    request: Request,
    competition: Annotated[str, Query(description="The name of a ladder, say.")] = "",
    game: Annotated[str, Query(description="The slug of a game.")] = "",
    bot: Annotated[str, Query(description="A bot, or BOT@NUMBER for one version.")] = "",
    against: Annotated[str, Query(description="An opponent of `bot`, written alike.")] = "",
    result: Annotated[str, Query(description="Of `bot`: won or lost.")] = "",
    fault: Annotated[str, Query(description="A kind of fault, or `any`.")] = "",
    seat: Annotated[str, Query(description="The seat of `bot`, from 0.")] = "",
    seats: Annotated[str, Query(description="The size of the table.")] = "",
    since: Annotated[str, Query(description="A day or a moment, such as 2026-07-07.")] = "",
    until: Annotated[str, Query(description="The same; a day includes its end.")] = "",
    slowest: Annotated[str, Query(description="A decision took at least so many ms.")] = "",
    order: Annotated[str, Query(description="latest; or worst or best, of `bot`.")] = "",
) -> MatchFilter:
    """Reads the filter as the pages do. The parameters are declared for the description only."""
    pairs = request.query_params.multi_items()
    return from_query((name, text) for name, text in pairs if name not in PAGING)


Wanted = Annotated[MatchFilter, Depends(_wanted)]
