"""Fields of log lines: what they are about, as far as the code that logs is in such a context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_FIELDS: ContextVar[Mapping[str, str]] = ContextVar("fields", default=MappingProxyType({}))


@contextmanager
def log_fields(**fields: str) -> Iterator[None]:
    """Adds fields to all lines that are logged in the block, and by tasks that it starts."""
    before = _FIELDS.set({**_FIELDS.get(), **fields})
    try:
        yield
    finally:
        _FIELDS.reset(before)


def current_fields() -> Mapping[str, str]:
    """Returns the fields of lines that are logged here."""
    return _FIELDS.get()
