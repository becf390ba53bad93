"""The form of an operation, the types of parameters that several take, and the list of all.

`@reads` and `@changes` make an operation of a function. Its first parameter is the context; the
others, by their names and types, are what a caller gives: those in braces in the path are parts of
the address, the others are parameters of the query, or members of the JSON body of a change.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import (
    Annotated,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    TypeAlias,
    TypeVar,
    get_type_hints,
)

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.operations.audit_log import audited
from arena.operations.caller import Caller
from arena.store.data_folder import DataFolder
from arena.store.schema import Role
from arena.store.session import Store

LONGEST_TEXT = 200  # characters; every name, digest or id is shorter
MOST_VALUES = 100  # in a list
LARGEST_PAGE = 1000


def printable(text: str) -> str:
    """Returns the text. Raises ValueError if it could control a terminal."""
    if visible(text) != text:
        raise ValueError(f"{text!r} may contain no control characters.")
    return text


Text = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(printable)]
"""A name, id, digest or word."""
AnyText = Annotated[str, Field(max_length=LONGEST_TEXT)]
"""A name or text to look for. Organisers, and bots that were never checked, may have any characters
in their names."""
Number = Annotated[int, Field(ge=0, le=10**9)]
"""A whole number; 0 often stands for none in particular."""
After = Annotated[
    str, Field(max_length=LONGEST_TEXT, description="`next` of the page before; empty: the first.")
]
Limit = Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="At most so many.")]


def stripped(sentence: str) -> str:
    """Returns a sentence without spaces around it. Raises ValueError if it is empty."""
    if not sentence.strip():
        raise ValueError("it is empty; write a sentence.")
    return sentence.strip()


Reason = Annotated[Text, AfterValidator(stripped), Field(description="A sentence for everybody.")]

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Stamp: TypeAlias = "Callable[..., str]"
"""Returns, for the context and the arguments of an operation, a text that changes with its answer,
and is quicker to find. Raises ArenaError."""


@dataclass(frozen=True)
class Reading:
    """The context of an operation that reads. `session`: a transaction of its own."""

    caller: Caller
    folder: DataFolder
    session: Session


@dataclass(frozen=True)
class Changing:
    """The context of an operation that changes something. `store`: open for writing."""

    caller: Caller
    folder: DataFolder
    store: Store


class Place(StrEnum):
    """The part of a request that has a parameter."""

    PATH = "path"
    QUERY = "query"
    BODY = "body"


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation. `default`: `inspect.Parameter.empty` if there is none."""

    name: str
    type: Any
    default: Any
    place: Place
    adapter: TypeAdapter[Any]

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    def checked(self, value: Any) -> Any:
        """Returns a value as the operation takes it. Raises ArenaError."""
        try:
            return self.adapter.validate_python(value)
        except ValidationError as error:
            first = error.errors()[0]
            if first["type"] == "string_unicode":
                str(value).encode()  # raises UnicodeEncodeError, which tells of the locale
            raise ArenaError(Kind.WRONG_INPUT, wrong_value(self.name, first), self.name) from None


class Operation(Generic[Given, Answer]):
    """A function that people and programs may call.

    `method`, `path`: of its request by HTTP, below /api.
    `roles`: of those who may call it; EVERYBODY: also without a token.
    `changes`: whether it changes something; only the arena that holds the data folder can do that.
    `stamp`: by which an unchanged answer is recognised before it is found; None if that is no work.
    """

    def __init__(
        self,
        function: Callable[Concatenate[Any, Given], Answer],
        method: str,
        path: str,
        roles: tuple[Role, ...],
        *,
        changes: bool,
        stamp: Stamp | None = None,
    ) -> None:
        self.name = function.__name__
        self.description = inspect.getdoc(function) or ""
        self.function = function
        self.method = method
        self.path = path
        self.roles = roles
        self.changes = changes
        self.stamp = stamp
        types = get_type_hints(function, include_extras=True)
        self.parameters = tuple(
            Parameter(
                one.name, types[one.name], one.default, self._place(one.name), _adapter(types, one)
            )
            for one in list(inspect.signature(function).parameters.values())[1:]
        )
        self.answer: Any = types["return"]
        self.answers: TypeAdapter[Answer] = TypeAdapter(self.answer)

    @property
    def group(self) -> str:
        """The subject, as the first word of the path."""
        return self.path.split("/")[1] or "arena"

    def arguments(self, *positional: Given.args, **named: Given.kwargs) -> dict[str, Any]:
        """Returns all arguments by name, checked. Raises ArenaError."""
        names = [one.name for one in self.parameters]
        given = dict(zip(names, positional, strict=False)) | named
        return {
            one.name: one.checked(given[one.name]) if one.name in given else one.default
            for one in self.parameters
        }

    def run(
        self, caller: Caller, folder: DataFolder, store: Store, arguments: Mapping[str, Any]
    ) -> Answer:
        """Answers a caller. Raises ArenaError."""
        caller.check_role(self.roles)
        if self.changes:
            with audited(store, caller, self.name, self._given(arguments)):
                return self.call(Changing(caller, folder, store), arguments)
        with store.reading() as session:
            return self.call(Reading(caller, folder, session), arguments)

    def call(self, context: Reading | Changing, arguments: Mapping[str, Any]) -> Answer:
        """Answers in that context; the caller's role has been checked. Raises ArenaError."""
        call: Callable[..., Answer] = self.function
        return call(context, **arguments)

    def _given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments that differ from their defaults, as JSON has them."""
        return {
            one.name: one.adapter.dump_python(arguments[one.name], mode="json")
            for one in self.parameters
            if one.required or arguments[one.name] != one.default
        }

    def _place(self, name: str) -> Place:
        if name in re.findall(r"{(\w+)}", self.path):
            return Place.PATH
        return Place.BODY if self.changes else Place.QUERY


OPERATIONS: dict[str, Operation[..., Any]] = {}
"""All operations, by the names of their functions: the one table of rights."""


def reads(
    path: str, roles: tuple[Role, ...] = (), *, stamp: Stamp | None = None
) -> Callable[[Callable[Concatenate[Reading, Given], Answer]], Operation[Given, Answer]]:
    """Makes an operation that reads, answered at `GET path`."""

    def made(function: Callable[Concatenate[Reading, Given], Answer]) -> Operation[Given, Answer]:
        return _listed(Operation(function, "GET", path, roles, changes=False, stamp=stamp))

    return made


def changes(
    method: str, path: str, roles: tuple[Role, ...]
) -> Callable[[Callable[Concatenate[Changing, Given], Answer]], Operation[Given, Answer]]:
    """Makes an operation that changes something, by a request of that method."""

    def made(function: Callable[Concatenate[Changing, Given], Answer]) -> Operation[Given, Answer]:
        return _listed(Operation(function, method, path, roles, changes=True))

    return made


def wrong_value(name: str, error: Mapping[str, Any]) -> str:
    """Returns a sentence for an error that pydantic has found in a parameter."""
    reason = error.get("ctx", {}).get("error")
    if isinstance(reason, ValueError):
        return f"`{name}` is wrong: {reason}"
    return f"The parameter {name} is wrong: {error['msg']}."


def _listed(operation: Operation[Given, Answer]) -> Operation[Given, Answer]:
    assert operation.name not in OPERATIONS, operation.name
    OPERATIONS[operation.name] = operation
    return operation


def _adapter(types: Mapping[str, Any], parameter: inspect.Parameter) -> TypeAdapter[Any]:
    return TypeAdapter(types[parameter.name])
