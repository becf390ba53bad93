"""Asks the running arena for a seat."""

from __future__ import annotations

from http import HTTPStatus

from arena.client import connected
from arena.errors import CommandError, Exit
from arena.store.data_folder import DataFolder
from arena.web.failures import PageFailure
from sevens.league.v1.table_pb2 import SitDownRequest, SitDownResponse

CLOSED = "The arena is not running at the moment, so that nobody can play: come back later."


def seat_at_table(folder: DataFolder, request: SitDownRequest) -> SitDownResponse:
    """Returns the seat. Raises PageFailure with the arena's sentence."""
    address = folder.server()
    if not address:
        raise PageFailure(HTTPStatus.SERVICE_UNAVAILABLE, CLOSED)
    try:
        with connected(address) as arena:
            response: SitDownResponse = arena.call("SitDown", request)
    except CommandError as refused:
        raise PageFailure(_status(refused), refused.sentence) from None
    return response


def _status(refused: CommandError) -> HTTPStatus:
    if refused.code is Exit.WRONG_INPUT:
        return HTTPStatus.CONFLICT
    if refused.code is Exit.UNREACHABLE:
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.INTERNAL_SERVER_ERROR
