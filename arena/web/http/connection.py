"""Visitors' connections, bounded as long as no request of theirs is being answered: visitors who
send a request slowly, or none, take no room from those who send one at once."""

from __future__ import annotations

import asyncio
from ipaddress import IPv6Address, ip_address
from typing import Any

from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

NETWORK_BITS = 64
"""Of an IPv6 address: one machine may use all addresses of such a network."""
REQUEST_S = 10.0
"""The time for the head of a request."""
TOO_SLOW = (
    "HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\n"
    f"Connection: close\r\n\r\nThe request did not arrive within {REQUEST_S:g} seconds.\n"
).encode()


class WaitingRoom:
    """The connections of a process that wait for a request, by network and age.

    `most`: how many there may be. One more costs the network with the most of them its oldest.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[str, dict[BoundedConnection, None]] = {}
        self._count = 0

    def enter(self, network: str, connection: BoundedConnection) -> None:
        """Adds a connection."""
        own = self._waiting.setdefault(network, {})
        if connection in own:
            return
        own[connection] = None
        self._count += 1
        if self._count > self._most:
            fullest = max(self._waiting.values(), key=len)
            next(iter(fullest)).cut_off()

    def leave(self, network: str, connection: BoundedConnection) -> None:
        """Removes a connection; harmless if it is not there."""
        own = self._waiting.get(network, {})
        if connection in own:
            del own[connection]
            self._count -= 1
            if not own:
                del self._waiting[network]


class BoundedConnection(H11Protocol):
    """A connection that is in the waiting room unless a request is being answered.

    `room`: of the process.
    """

    _network: str = ""
    _deadline: asyncio.TimerHandle | None = None

    def __init__(self, room: WaitingRoom, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._room = room

    # asyncio declares a wider type, but uvicorn's own method takes this one too.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._network = network_named(self.client[0]) if self.client else ""
        self._await_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_answering:
            self._stop_waiting()
        elif not self.transport.is_closing():
            self._await_request()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._is_answering and not self.transport.is_closing():
            self._room.enter(self._network, self)  # uvicorn bounds the time without a request

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def cut_off(self) -> None:
        """Ends the connection at once."""
        self._stop_waiting()
        self.transport.abort()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _await_request(self) -> None:
        self._room.enter(self._network, self)
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_S, self._give_up)

    def _stop_waiting(self) -> None:
        self._room.leave(self._network, self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._stop_waiting()
        self.transport.write(TOO_SLOW)
        self.transport.close()


def network_of(request: Request) -> str:
    """Returns the network of a visitor. Behind a proxy on this machine it is the one of the visitor
    that the proxy names."""
    return network_named(request.client.host if request.client is not None else "")


def network_named(host: str) -> str:
    """Returns the part that the addresses of one visitor have in common."""
    try:
        address = ip_address(host)
    except ValueError:  # a Unix socket's
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> (128 - NETWORK_BITS) << (128 - NETWORK_BITS)))
    return host
