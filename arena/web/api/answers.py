"""Answers as JSON, with a tag by which an unchanged one is not sent again."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from arena.web.conditional import conditional, tag_of

DIGITS = 20


def answered(request: Request, content: Any) -> Response:
    """Returns the content as JSON, or status 304 if the program has it already."""
    body = to_json(content)
    tag = f'"{sha256(body).hexdigest()[:DIGITS]}"'
    return conditional(request, tag, lambda: Response(body, media_type="application/json"))


def answered_anew(request: Request, stamp: str, content: Callable[[], Any]) -> Response:
    """Returns the same without asking for the content if the answer is known. `stamp`: changes
    with the content."""

    def make() -> Response:
        return Response(to_json(content()), media_type="application/json")

    return conditional(request, tag_of(stamp), make)
