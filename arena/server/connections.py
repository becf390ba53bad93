"""The connections of a server, bounded for each address. gRPC bounds only all of them together, so
that one address could take them all, and hold them without a word."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from ipaddress import IPv6Address
from pathlib import Path
from urllib.parse import unquote

from arena.bots.remote import address_of

# The time between two looks, in seconds: also what a caller has to authenticate itself.
LOOK_S = 0.5
REMEMBERED = 4096
OPEN_FILES = Path("/dev/fd")


class KnownPeers:
    """The latest REMEMBERED peers that were authenticated, as gRPC names them."""

    def __init__(self) -> None:
        self._peers: OrderedDict[str, None] = OrderedDict()

    def add(self, peer: str) -> None:
        self._peers[unquote(peer)] = None
        self._peers.move_to_end(unquote(peer))
        if len(self._peers) > REMEMBERED:
            self._peers.popitem(last=False)

    def __contains__(self, peer: str) -> bool:
        return peer in self._peers


KNOWN_PEERS = KnownPeers()
"""The peers of this process."""


class ConnectionGuard:
    """Ends connections of strangers when there are more than `most`: of the address that has most
    of them, the oldest first, until half as many are left.

    `port`: where the server listens.
    `bots`: returns the peers of the bots that are connected.
    """

    def __init__(self, port: int, most: int, bots: Callable[[], Collection[str]]) -> None:
        self._port = port
        self._most = most
        self._bots = bots
        self._seen: dict[str, str] = {}  # peers by age, with their addresses

    async def run(self) -> None:
        """Looks again and again until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            if len(_open_files()) > self._most:
                await asyncio.to_thread(self.look, set(self._bots()))

    def look(self, bots: Collection[str]) -> None:
        """Ends what is too much of what was there at the last look."""
        now = {peer: number for number, peer in _peers(self._port)}
        before = {peer: address for peer, address in self._seen.items() if peer in now}
        self._seen = before | {peer: address_of(peer) for peer in now if peer not in before}
        strangers = {
            peer: address
            for peer, address in before.items()
            if peer not in KNOWN_PEERS and peer not in bots
        }
        if len(strangers) > self._most:
            for peer in _too_many(strangers, self._most // 2):
                _end(now[peer], peer)


def _too_many(strangers: dict[str, str], most: int) -> Iterator[str]:
    """Yields those to end. `strangers`: peers by age, with their addresses."""
    crowds = Counter(strangers.values())
    left = dict(strangers)
    while len(left) > most:
        [(crowded, _)] = crowds.most_common(1)
        oldest = next(peer for peer, address in left.items() if address == crowded)
        del left[oldest]
        crowds[crowded] -= 1
        yield oldest


def _peers(port: int) -> Iterator[tuple[int, str]]:
    """Yields the file number and the peer of each connection to a port of this process."""
    for number in _open_files():
        with suppress(OSError), _socket(number) as one:  # closed, no socket, or not connected
            if one.family in (socket.AF_INET, socket.AF_INET6) and one.getsockname()[1] == port:
                yield number, _name(one.getpeername())


def _open_files() -> list[int]:
    return [int(path.name) for path in OPEN_FILES.iterdir()]


def _end(number: int, peer: str) -> None:
    """Ends a connection; gRPC closes it. Its number may be another's by now."""
    with suppress(OSError), _socket(number) as one:
        if _name(one.getpeername()) == peer:
            one.shutdown(socket.SHUT_RDWR)


def _socket(number: int) -> socket.socket:
    """Returns a socket of its own for an open file, for which gRPC has another. Raises OSError."""
    own = os.dup(number)
    try:
        return socket.socket(fileno=own)
    except OSError:
        os.close(own)
        raise


def _name(address: tuple[object, ...]) -> str:
    """Returns a peer as gRPC names it, without its quotes."""
    host, port = str(address[0]), address[1]
    if ":" not in host:
        return f"ipv4:{host}:{port}"
    mapped = IPv6Address(host).ipv4_mapped
    return f"ipv4:{mapped}:{port}" if mapped else f"ipv6:[{host}]:{port}"
