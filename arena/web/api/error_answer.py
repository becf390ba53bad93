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

from arena.errors import Kind
from arena.failures import KNOWN
from arena.web.events import StreamRefused
from arena.web.http import failure_of


@dataclass(frozen=True)
class Failure:
    """Why there is no answer. `field`: the parameter concerned; empty: none in particular."""

    sentence: str
    field: str


RESPONSES: dict[int | str, dict[str, Any]] = {
    kind.http: {"model": Failure, "description": description}
    for kind, description in (
        (Kind.WRONG_INPUT, "A parameter is wrong."),
        (Kind.UNAUTHENTICATED, "The token is unknown, or was revoked."),
        (Kind.FORBIDDEN, "It is not for you, or not yet for anybody."),
        (Kind.NOT_FOUND, "There is no such thing."),
        (Kind.UNUSABLE, "The record was made by other rules, or is damaged."),
        (Kind.GONE, "The record has been pruned."),
    )
}


def _answer(status: int, sentence: str, field: str = "") -> JSONResponse:
    return JSONResponse({"sentence": sentence, "field": field}, status)


def _failed(request: Request, error: Exception) -> JSONResponse:
    failure = failure_of(error)
    return _answer(failure.kind.http, failure.sentence, failure.field)


def _stream_refused(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, StreamRefused)
    response = _failed(request, failure)
    response.headers.update(failure.headers)
    return response


def _wrong_parameter(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, RequestValidationError)
    first = failure.errors()[0]
    name = str(first["loc"][-1])
    sentence = f"The parameter {name} is wrong: {first['msg']}."
    return _answer(Kind.WRONG_INPUT.http, sentence, name)


def _refused(request: Request, failure: Exception) -> JSONResponse:
    assert isinstance(failure, HTTPException)
    sentence = {
        HTTPStatus.NOT_FOUND: "There is no such address; /api/openapi.json lists them all.",
        HTTPStatus.METHOD_NOT_ALLOWED: "The API is only read, by GET.",
    }.get(HTTPStatus(failure.status_code), f"{failure.detail}.")
    response = _answer(failure.status_code, sentence)
    response.headers.update(failure.headers or {})
    return response


HANDLERS: Mapping[Any, Any] = {
    **dict.fromkeys(KNOWN, _failed),
    StreamRefused: _stream_refused,
    RequestValidationError: _wrong_parameter,
    HTTPException: _refused,
}
"""What answers each exception; any other is a bug, is logged, and answered with status 500."""
