"""Failures as JSON: a sentence, and the parameter that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from arena.errors import CommandError
from arena.store.matches import WrongFilter
from arena.store.queries import NotFound, NotNow
from arena.web.events import StreamRefused
from arena.web.failures import LoggedOut, PageFailure, refused_by_arena


@dataclass(frozen=True)
class Failure:
    """Why there is no answer. `field`: the parameter concerned; empty: none in particular."""

    sentence: str
    field: str


RESPONSES: dict[int | str, dict[str, Any]] = {
    int(status): {"model": Failure, "description": description}
    for status, description in (
        (HTTPStatus.BAD_REQUEST, "A parameter is wrong."),
        (HTTPStatus.UNAUTHORIZED, "The token is unknown, or was revoked."),
        (HTTPStatus.FORBIDDEN, "It is not for you, or not yet for anybody."),
        (HTTPStatus.NOT_FOUND, "There is no such thing."),
        (HTTPStatus.CONFLICT, "The record was made by other rules, or is damaged."),
        (HTTPStatus.GONE, "The record has been pruned."),
    )
}


def _answer(status: HTTPStatus, sentence: str, field: str = "") -> JSONResponse:
    return JSONResponse({"sentence": sentence, "field": field}, status)


def _failed(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, PageFailure)
    return _answer(failure.status, failure.sentence)


def _stream_refused(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, StreamRefused)
    response = _failed(request, failure)
    response.headers.update(failure.headers)
    return response


def _command_failed(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, CommandError)
    return _failed(request, refused_by_arena(failure))


def _wrong_filter(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, WrongFilter)
    return _answer(HTTPStatus.BAD_REQUEST, failure.sentence, failure.field)


def _wrong_parameter(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, RequestValidationError)
    first = failure.errors()[0]
    name = str(first["loc"][-1])
    return _answer(HTTPStatus.BAD_REQUEST, f"The parameter {name} is wrong: {first['msg']}.", name)


def _refused(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, HTTPException)
    status = HTTPStatus(failure.status_code)
    sentence = {
        HTTPStatus.NOT_FOUND: "There is no such address; /api/openapi.json lists them all.",
        HTTPStatus.METHOD_NOT_ALLOWED: "The API is only read, by GET.",
    }.get(status, f"{failure.detail}.")
    response = _answer(status, sentence)
    response.headers.update(failure.headers or {})
    return response


HANDLERS: Mapping[Any, Any] = {
    PageFailure: _failed,
    StreamRefused: _stream_refused,
    CommandError: _command_failed,
    NotFound: lambda request, failure: _answer(HTTPStatus.NOT_FOUND, str(failure)),
    NotNow: lambda request, failure: _answer(HTTPStatus.FORBIDDEN, str(failure)),
    LoggedOut: lambda request, failure: _answer(
        HTTPStatus.UNAUTHORIZED, "The token was revoked; ask an organiser for a new one.", "token"
    ),
    WrongFilter: _wrong_filter,
    RequestValidationError: _wrong_parameter,
    HTTPException: _refused,
}
"""What answers each exception; any other is a bug, is logged, and answered with status 500."""
