"""Answers to operations that read, for pages of organisers."""

from __future__ import annotations

from typing import ParamSpec, TypeVar

from starlette.requests import Request

from arena.operations.operation import Operation, Reading
from arena.web.site import site_of
from arena.web.viewer import organiser_of

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def answer_to(
    request: Request,
    operation: Operation[Given, Answer],
    *positional: Given.args,
    **named: Given.kwargs,
) -> Answer:
    """Returns the answer to an organiser who has logged in. Raises ArenaError."""
    caller, site = organiser_of(request).caller, site_of(request)
    caller.check_role(operation.roles)
    with site.store.reading() as session:
        return operation.call(
            Reading(caller, site.folder, session), operation.arguments(*positional, **named)
        )
