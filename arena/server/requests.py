"""Requests as callers send them: read, and their texts bounded, before anything else is done."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.server.connections import KNOWN_PEERS

TEXT_LIMIT_CHARACTERS = 200  # every name, digest or id is shorter
MOST_VALUES = 100  # in a list or map
Read: TypeAlias = Callable[[bytes], Any]
Requests: TypeAlias = AsyncIterator[Any]


class Unreadable:
    """A request whose bytes are no message of its type."""


def tolerant(read: Read) -> Read:
    """Returns the reader of a method's requests as one that fails at none. gRPC would report an
    exception there as a failure of the arena's own."""

    def try_to_read(raw: bytes) -> Any:
        try:
            return read(raw)
        except DecodeError:
            return Unreadable()

    return try_to_read


async def readable(requests: Requests, peer: str) -> Requests:
    """Yields the requests of a peer's call. Raises ArenaError at the first that cannot be read."""
    async for request in requests:
        if isinstance(request, Unreadable):
            raise ArenaError(Kind.WRONG_INPUT, "The request is not a message of this call's type.")
        KNOWN_PEERS.streamed(peer, request.ByteSize())
        yield request


def check_texts(message: Message) -> None:
    """Raises ArenaError if a request has a list or map of more than MOST_VALUES, or a text that is
    longer than any name or cannot be shown."""
    for field, value in message.ListFields():
        for one in _values(field, value):
            if isinstance(one, Message):
                check_texts(one)
            elif isinstance(one, str):
                _check_text(field.name, one)


def _values(field: FieldDescriptor, value: Any) -> Iterable[Any]:
    """Returns the value of a field, the values of a list, or the names and values of a map. Raises
    ArenaError if they are too many."""
    if not field.is_repeated:
        return (value,)
    if len(value) > MOST_VALUES:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`{field.name}` has {len(value):,} values; at most {MOST_VALUES} are allowed.",
            field.name,
        )
    return (*value, *value.values()) if hasattr(value, "values") else value


def _check_text(field: str, text: str) -> None:
    if len(text) > TEXT_LIMIT_CHARACTERS:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`{field}` has {len(text):,} characters; at most {TEXT_LIMIT_CHARACTERS} are allowed.",
            field,
        )
    if visible(text) != text:
        raise ArenaError(
            Kind.WRONG_INPUT, f"`{field}` is {text!r}; it may contain no control characters.", field
        )
