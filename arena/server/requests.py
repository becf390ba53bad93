"""Requests as callers send them: read, and their texts bounded, before anything else is done."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message

from arena.foreign_text import visible
from arena.server.connections import KNOWN_PEERS
from arena.server.errors import invalid

TEXT_LIMIT_CHARACTERS = 200  # every name, digest or id is shorter
MOST_TEXTS = 100
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
    """Yields the requests of a peer's call. Raises Refusal at the first that cannot be read."""
    async for request in requests:
        if isinstance(request, Unreadable):
            raise invalid("The request is not a message of this call's type.", "")
        KNOWN_PEERS.streamed(peer, request.ByteSize())
        yield request


def check_texts(message: Message) -> None:
    """Raises Refusal if a text of a request is longer than any name, or cannot be shown."""
    for field, value in message.ListFields():
        if field.is_repeated:
            for text in _texts(field, value):
                _check_text(field.name, text)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            check_texts(value)
        elif field.type == FieldDescriptor.TYPE_STRING:
            _check_text(field.name, value)


def _texts(field: FieldDescriptor, values: Any) -> Iterable[str]:
    """Returns the texts of a list, or the names and values of a map of texts. Requests have no
    other repeated fields. Raises Refusal if they are too many."""
    if len(values) > MOST_TEXTS:
        raise invalid(
            f"`{field.name}` has {len(values):,} values; at most {MOST_TEXTS} are allowed.",
            field.name,
        )
    return [*values, *values.values()] if hasattr(values, "values") else values


def _check_text(field: str, text: str) -> None:
    if len(text) > TEXT_LIMIT_CHARACTERS:
        raise invalid(
            f"`{field}` has {len(text):,} characters; at most {TEXT_LIMIT_CHARACTERS} are allowed.",
            field,
        )
    if visible(text) != text:
        raise invalid(f"`{field}` is {text!r}; it may contain no control characters.", field)
