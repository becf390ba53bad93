"""The connections of a server, bounded for each address, and none that only keeps the server busy.
gRPC bounds only all of them together, so that one address could take them all, and hold them
without a word."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv6Address
from urllib.parse import unquote

from arena.bots.remote import Networks, address_of, is_proxy
from arena.bots.stream import BusyThreads, FloodWatch, full_files, open_files, socket_of
from arena.clock import monotonic

# The time between two looks, in seconds: also what a caller has to authenticate itself.
LOOK_S = 0.5
REMEMBERED = 4096
# For how long strangers of an address that has flooded the server are turned away.
BANNED_S = 60.0


class KnownPeers:
    """The latest REMEMBERED peers that were authenticated, as gRPC names them, and how many bytes
    of messages they have streamed."""

    def __init__(self) -> None:
        self._peers: OrderedDict[str, int] = OrderedDict()

    def add(self, peer: str) -> None:
        self._peers.setdefault(unquote(peer), 0)
        self._peers.move_to_end(unquote(peer))
        if len(self._peers) > REMEMBERED:
            self._peers.popitem(last=False)

    def streamed(self, peer: str, size: int) -> None:
        """A message of a stream arrived from a peer."""
        if (known := unquote(peer)) in self._peers:
            self._peers[known] += size

    def heard(self, peer: str) -> int:
        """Returns how many bytes a peer has streamed; 0 of a stranger."""
        return self._peers.get(peer, 0)

    def __contains__(self, peer: str) -> bool:
        return peer in self._peers


KNOWN_PEERS = KnownPeers()
"""The peers of this process."""


class ConnectionGuard:
    """Ends connections of strangers when there are more than `most`: of the address that has most
    of them, the oldest first, until half as many are left. Ends whatever floods.

    `port`: where the server listens.
    `bots`: returns the peers of the bots that are connected, and the bytes that each has sent.
    `proxies`: those whose connections belong to many callers, and are no stranger's.
    """

    def __init__(
        self,
        port: int,
        most: int,
        bots: Callable[[], Mapping[str, int]],
        proxies: Networks = (),
    ) -> None:
        self._port = port
        self._proxies = proxies
        self._most = most
        self._bots = bots
        self._seen: dict[str, str] = {}  # peers by age, with their addresses
        self._floods = FloodWatch[str]()
        self._banned: dict[str, float] = {}  # addresses, and until when

    async def run(self) -> None:
        """Looks again and again until cancelled."""
        busy = BusyThreads()
        while True:
            await asyncio.sleep(LOOK_S)
            if busy() or self._banned:
                await asyncio.to_thread(self.end_floods, self._bots())
            if len(open_files()) > self._most:
                await asyncio.to_thread(self.look, self._bots())

    def end_floods(self, bots: Mapping[str, int]) -> None:
        """Ends the connections that keep the server busy, and turns strangers of their addresses
        away for a while. `bots`: as above."""
        now, peers = monotonic(), _connections(self._port)
        waiting = {peers[number]: much for number, much in full_files() if number in peers}
        floods = self._floods.look(waiting, lambda one: bots.get(one, KNOWN_PEERS.heard(one)))
        strangers = {one for one in peers.values() if self._is_stranger(one, bots)}
        banned = {address_of(peer): now + BANNED_S for peer in strangers.intersection(floods)}
        self._banned = {at: until for at, until in self._banned.items() if until > now} | banned
        for number, peer in peers.items():
            if peer in floods or (peer in strangers and address_of(peer) in self._banned):
                _end(number, peer)

    def look(self, bots: Collection[str]) -> None:
        """Ends what is too much of what was there at the last look."""
        now = {peer: number for number, peer in _connections(self._port).items()}
        before = {peer: address for peer, address in self._seen.items() if peer in now}
        self._seen = before | {peer: address_of(peer) for peer in now if peer not in before}
        strangers = {
            peer: address for peer, address in before.items() if self._is_stranger(peer, bots)
        }
        if len(strangers) > self._most:
            for peer in _too_many(strangers, self._most // 2):
                _end(now[peer], peer)

    def _is_stranger(self, peer: str, bots: Collection[str]) -> bool:
        known = peer in KNOWN_PEERS or peer in bots
        return not known and not is_proxy(peer, self._proxies)


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


def _connections(port: int) -> dict[int, str]:
    """Returns the peers of all connections to a port of this process, by their file numbers."""
    found = {}
    for number in open_files():
        with suppress(OSError), socket_of(number) as one:  # closed, no socket, or not connected
            if one.family in (socket.AF_INET, socket.AF_INET6) and one.getsockname()[1] == port:
                found[number] = _name(one.getpeername())
    return found


def _end(number: int, peer: str) -> None:
    """Ends a connection; gRPC closes it. Its number may be another's by now."""
    with suppress(OSError), socket_of(number) as one:
        if _name(one.getpeername()) == peer:
            one.shutdown(socket.SHUT_RDWR)


def _name(address: tuple[object, ...]) -> str:
    """Returns a peer as gRPC names it, without its quotes."""
    host, port = str(address[0]), address[1]
    if ":" not in host:
        return f"ipv4:{host}:{port}"
    mapped = IPv6Address(host).ipv4_mapped
    return f"ipv4:{mapped}:{port}" if mapped else f"ipv6:[{host}]:{port}"
