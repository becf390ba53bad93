"""Failures as JSON: a sentence, and the parameter that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic.dataclasses import dataclass
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from arena.errors import ArenaError, Kind
from arena.failures import KNOWN
from arena.operations.operation import wrong_value
from arena.web.events import StreamRefused
from arena.web.http import failure_of


@dataclass(frozen=True)
class Failure:
    """The reason why there is no answer.

    `kind`: a word for it.
    `field`: the parameter concerned, or empty.
    """

    kind: str
    sentence: str
    field: str


RESPONSES: dict[int | str, dict[str, Any]] = {
    kind.http: {"model": Failure, "description": description}
    for kind, description in (
        (Kind.WRONG_INPUT, "A parameter is wrong."),
        (Kind.UNAUTHENTICATED, "The token is unknown, or was revoked."),
        (Kind.FORBIDDEN, "You may not read it, or it is not public yet."),
        (Kind.NOT_FOUND, "There is no such thing."),
        (Kind.UNUSABLE, "The record was made by other rules, or is damaged."),
        (Kind.GONE, "The record has been pruned."),
    )
}


def _answer(kind: Kind, sentence: str, field: str = "", status: int = 0) -> JSONResponse:
    told = {"kind": kind, "sentence": sentence, "field": field}
    return JSONResponse(told, status or kind.http)


def answer_of(failure: ArenaError) -> JSONResponse:
    """Returns the answer that tells of a failure."""
    return _answer(failure.kind, failure.sentence, failure.field)


def _failed(request: Request, error: Exception) -> JSONResponse:
    return answer_of(failure_of(error))


def _stream_refused(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, StreamRefused)
    response = _failed(request, failure)
    response.headers.update(failure.headers)
    return response


def _wrong_parameter(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, RequestValidationError)
    first = failure.errors()[0]
    # ("body", "owner"), say, or ("body", "versions", 0, "bot")
    name = str(first["loc"][1]) if len(first["loc"]) > 1 else "body"
    return _answer(Kind.WRONG_INPUT, wrong_value(name, first), name)


def _refused(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, HTTPException)
    sentence = {
        HTTPStatus.NOT_FOUND: "There is no such address; /api/openapi.json lists them all.",
        HTTPStatus.METHOD_NOT_ALLOWED: "This address takes another method.",
    }.get(HTTPStatus(failure.status_code), f"{failure.detail}.")
    kind = Kind.NOT_FOUND if failure.status_code == HTTPStatus.NOT_FOUND else Kind.WRONG_INPUT
    response = _answer(kind, sentence, status=failure.status_code)
    response.headers.update(failure.headers or {})
    return response


HANDLERS: Mapping[Any, Any] = {
    **dict.fromkeys(KNOWN, _failed),
    StreamRefused: _stream_refused,
    RequestValidationError: _wrong_parameter,
    HTTPException: _refused,
}
"""The handler of each exception; any other is a bug, is logged, and answered with status 500."""
