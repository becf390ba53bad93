"""The operations of the arena as routes: the same at the pages' address and at the door of the
data folder, which differ in how they answer."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Annotated, Any, TypeAlias

from fastapi import Body, Depends, FastAPI, Path, Query, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from arena.errors import ArenaError, Kind
from arena.nearest import LONGEST, no_such
from arena.operations.operation import Operation, Parameter, Place
from arena.operations.registry import OPERATIONS
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_query import CONDITIONS, from_query
from arena.web.api.error_answer import RESPONSES

Answering: TypeAlias = Callable[[Request, Operation[..., Any], dict[str, Any]], Response]
"""Answers a request for an operation with these arguments. Raises ArenaError."""

PAGING = ("after", "limit")
PLACES: dict[Place, Callable[[], Any]] = {
    Place.PATH: Path,
    Place.QUERY: Query,
    Place.BODY: lambda: Body(embed=True),
}


def add_operations(app: FastAPI, answering: Answering) -> None:
    """Adds a route for each operation."""
    app.router.routes.extend(_routes(answering))


@cache  # building them takes longer than the rest of an application
def _routes(answering: Answering) -> tuple[APIRoute, ...]:
    return tuple(
        APIRoute(
            operation.path,
            _endpoint(operation, answering),
            methods=[operation.method],
            operation_id=operation.name,
            description=_described(operation),
            response_model=operation.answer,
            responses=RESPONSES,
            tags=[operation.group],
            openapi_extra=_filter_described(operation),
            dependencies=[Depends(_members_check(operation))] if operation.changes else None,
        )
        for operation in OPERATIONS.values()
    )


def _endpoint(operation: Operation[..., Any], answering: Answering) -> Callable[..., Response]:
    """Returns the function of a route; FastAPI reads its parameters from its signature."""

    def endpoint(request: Request, **arguments: Any) -> Response:
        return answering(request, operation, arguments)

    parameters = [
        inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request),
        *(
            inspect.Parameter(
                one.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if one.type is MatchFilter else one.default,
                annotation=_annotated(one),
            )
            for one in operation.parameters
        ),
    ]
    endpoint.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    endpoint.__name__ = operation.name
    return endpoint


def _members_check(operation: Operation[..., Any]) -> Callable[[Request], Awaitable[None]]:
    """Returns what refuses a body with members that the operation does not have: a misspelt one
    would be left out without a word."""
    known = [one.name for one in operation.parameters if one.place is Place.BODY]

    async def check(request: Request) -> None:
        try:
            members = json.loads(await request.body() or "{}")
        except (ValueError, RecursionError):
            return  # FastAPI says so
        for name in members if isinstance(members, dict) else ():
            if name not in known:
                raise ArenaError(Kind.WRONG_INPUT, no_such("member", name, known), name[:LONGEST])

    return check


def _annotated(parameter: Parameter) -> Any:
    if parameter.type is MatchFilter:
        return Annotated[MatchFilter, Depends(filter_of)]
    return Annotated[parameter.type, PLACES[parameter.place]()]


def filter_of(request: Request) -> MatchFilter:
    """Reads the filter of matches as the pages do: every other parameter is a mistake."""
    pairs = request.query_params.multi_items()
    return from_query((name, text) for name, text in pairs if name not in PAGING)


def _described(operation: Operation[..., Any]) -> str:
    roles = " or ".join(operation.roles)
    return f"{operation.description}\n\nFor the role {roles}." if roles else operation.description


def _filter_described(operation: Operation[..., Any]) -> dict[str, Any] | None:
    """Returns the description of a filter's conditions, which FastAPI does not see."""
    if all(one.type is not MatchFilter for one in operation.parameters):
        return None
    return {
        "parameters": [
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": condition.description,
                "schema": {"type": "string", "default": ""},
            }
            for name, condition in CONDITIONS.items()
        ]
    }
