"""Event streams of pages that show a list: an event says that it has changed."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.store.queries import ladder_named
from arena.store.session import Store
from arena.web.events import competition_look, matches_look, streams_of
from arena.web.site import site_of


async def of_ladder(request: Request) -> Response:
    """Returns the events of a ladder. Raises ArenaError and StreamRefused."""
    streams_of(request).check(request)  # before the store is asked anything
    store, name = site_of(request).store, request.path_params["name"]
    await asyncio.to_thread(_check, store, name)
    return streams_of(request).open(request, f"ladder {name}", competition_look(store, name))


async def of_matches(request: Request) -> Response:
    """Returns the events of the list of all matches. Raises StreamRefused."""
    store = site_of(request).store
    return streams_of(request).open(request, "matches", matches_look(store))


def _check(store: Store, name: str) -> None:
    with store.reading() as session:
        ladder_named(session, name)


ROUTES = [
    Route("/ladders/{name}/events", of_ladder),
    Route("/matches/events", of_matches),
]
