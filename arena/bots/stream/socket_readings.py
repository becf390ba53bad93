"""Readings of the kernel about Unix sockets, made for all gateways at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Generic, TypeVar

FRESH_S = 0.1

V = TypeVar("V")


class SocketReadings(Generic[V]):
    """A value for each socket, by its path; read at most every FRESH_S seconds, for all who ask.

    `otherwise`: the value of a socket that `read` does not name.
    """

    def __init__(self, read: Callable[[], Mapping[str, V]], otherwise: V) -> None:
        self._read = read
        self._otherwise = otherwise
        self._values: Mapping[str, V] = {}
        self._read_at = -FRESH_S

    def of(self, path: str) -> V:
        """Returns the value of a socket."""
        now = monotonic()
        if now >= self._read_at + FRESH_S:
            self._read_at = now
            self._values = self._read()
        return self._values.get(path, self._otherwise)
