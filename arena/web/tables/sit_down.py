"""Asks the running arena for a seat."""

from __future__ import annotations

from arena.client import connected
from arena.errors import ArenaError, Kind
from arena.store.data_folder import DataFolder
from sevens.league.v1.table_pb2 import SitDownRequest, SitDownResponse

CLOSED = "The arena is not running at the moment, so that nobody can play: come back later."


def seat_at_table(folder: DataFolder, request: SitDownRequest) -> SitDownResponse:
    """Returns the seat. Raises ArenaError."""
    address = folder.server()
    if not address:
        raise ArenaError(Kind.UNREACHABLE, CLOSED)
    with connected(address) as arena:
        response: SitDownResponse = arena.call("SitDown", request)
    return response
