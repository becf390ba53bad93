"""Streams whose callers have not authenticated yet."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from arena.bots.remote.callers import address_of


class UnauthenticatedStreams:
    """Gives streams time for a hello: at most `limit` of them at once, `patience_s` seconds each.

    One more ends the oldest of the address that has most of them. A bot says hello at once, so a
    caller that opens streams by the thousand shuts out only other silent ones, its own first.
    """

    def __init__(self, limit: int, patience_s: float) -> None:
        self._limit = limit
        self._patience_s = patience_s
        self._waiting: dict[asyncio.Timeout, str] = {}  # by age, with their addresses

    @contextmanager
    def waiting(self, peer: str) -> Iterator[asyncio.Timeout]:
        """Yields the timeout of one more stream; `peer`: its address, as gRPC gives it."""
        patience = asyncio.timeout(self._patience_s)
        self._waiting[patience] = address_of(peer)
        if len(self._waiting) > self._limit:
            self._end_one()
        try:
            yield patience
        finally:
            self._waiting.pop(patience, None)

    def _end_one(self) -> None:
        [(crowded, _)] = Counter(self._waiting.values()).most_common(1)
        oldest = next(p for p, address in self._waiting.items() if address == crowded)
        del self._waiting[oldest]
        if not oldest.expired():
            oldest.reschedule(asyncio.get_running_loop().time())
