"""The machines that callers of a gRPC server come from, also through proxies."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any, Protocol, TypeAlias
from urllib.parse import unquote

# The owner of one IPv6 address usually has all 2^64 of its network.
NETWORK_BITS = 64
FORWARDED_FOR = "x-forwarded-for"

Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]


class Call(Protocol):
    """A call, as gRPC describes it to its handler."""

    def peer(self) -> str: ...

    def invocation_metadata(self) -> Any: ...


def address_of(peer: str) -> str:
    """Returns a name for a caller's machine or network: "ipv4:192.0.2.7:4242" without its
    port, and the first half of an IPv6 address."""
    kind, _, rest = unquote(peer).partition(":")
    host = rest.rpartition(":")[0]
    if kind != "ipv6":
        return host
    return str(IPv6Network((host.strip("[]"), NETWORK_BITS), strict=False))


def is_proxy(peer: str, trusted: Networks) -> bool:
    """Returns whether a peer is a trusted proxy."""
    host = unquote(peer).partition(":")[2].rpartition(":")[0].strip("[]")
    try:
        address = ip_address(host)
    except ValueError:  # a Unix socket's
        return False
    return any(address in network for network in trusted)


def caller(call: Call, trusted: Networks) -> str:
    """Returns the peer of a call as gRPC names it; of one that a trusted proxy forwards, the last
    address in X-Forwarded-For, which is the one that this proxy has seen."""
    peer = call.peer()
    if not is_proxy(peer, trusted):
        return peer
    for name, value in call.invocation_metadata() or ():
        if name == FORWARDED_FOR:
            return _named(str(value).rpartition(",")[2].strip()) or peer
    return peer


def _named(host: str) -> str:
    """Returns an address as gRPC names peers; empty if it is none."""
    try:
        address = ip_address(host)
    except ValueError:
        return ""
    return f"ipv4:{address}:0" if address.version == 4 else f"ipv6:[{address}]:0"
