"""Failures that become pages: each says what was wrong, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import grpc

from arena.client import RefusedCall
from arena.errors import CommandError


class PageFailure(Exception):
    """A page that cannot be shown. `status`: the HTTP status; `sentence`: what was wrong and what
    to do."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


class NotLoggedIn(Exception):
    """The page is for somebody who has logged in."""


class LoggedOut(Exception):
    """Somebody had logged in by a token that was revoked since."""


STATUSES: Mapping[grpc.StatusCode, HTTPStatus] = {
    grpc.StatusCode.ALREADY_EXISTS: HTTPStatus.CONFLICT,
    grpc.StatusCode.DEADLINE_EXCEEDED: HTTPStatus.REQUEST_TIMEOUT,
    grpc.StatusCode.FAILED_PRECONDITION: HTTPStatus.CONFLICT,
    grpc.StatusCode.INVALID_ARGUMENT: HTTPStatus.UNPROCESSABLE_ENTITY,
    grpc.StatusCode.NOT_FOUND: HTTPStatus.NOT_FOUND,
    grpc.StatusCode.PERMISSION_DENIED: HTTPStatus.FORBIDDEN,
    grpc.StatusCode.RESOURCE_EXHAUSTED: HTTPStatus.TOO_MANY_REQUESTS,
    grpc.StatusCode.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    grpc.StatusCode.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}


def refused_by_arena(failure: CommandError) -> PageFailure:
    """Returns what the running arena answered to a call, as the failure of a page."""
    if isinstance(failure, RefusedCall):
        status = STATUSES.get(failure.status, HTTPStatus.INTERNAL_SERVER_ERROR)
        return PageFailure(status, failure.sentence)
    return PageFailure(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The arena does not answer at the moment, so it is not certain whether anything was"
        " changed. Look again in a minute.",
    )
