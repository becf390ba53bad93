"""Streams whose callers have not authenticated yet."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Network
from urllib.parse import unquote

# The owner of one IPv6 address usually has all 2^64 of its network.
NETWORK_BITS = 64


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


def address_of(peer: str) -> str:
    """Returns a name for a caller's machine or network: "ipv4:192.0.2.7:4242" without its
    port, and the first half of an IPv6 address."""
    kind, _, rest = unquote(peer).partition(":")
    host = rest.rpartition(":")[0]
    if kind != "ipv6":
        return host
    return str(IPv6Network((host.strip("[]"), NETWORK_BITS), strict=False))
