"""Visitors: the network that one comes from, and what one learns of a failure."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from starlette.requests import Request

from arena.errors import ArenaError, Kind
from arena.failures import answer_to
from arena.records import BadRecord

NO_ANSWER = (
    "The arena does not answer at the moment, so it is not certain whether anything was changed."
    " Look again in a minute."
)


def failure_of(error: Exception) -> ArenaError:
    """Returns what a visitor learns of an exception: nothing about addresses at which the pages
    reach the running arena, and of a record only what is wrong with it."""
    if isinstance(error, BadRecord):
        return ArenaError(Kind.UNUSABLE, error.sentence)
    failure = answer_to(error)
    return ArenaError(failure.kind, NO_ANSWER) if failure.field == "server" else failure


NETWORK_BITS = 64
"""Of an IPv6 address: one machine may use all addresses of such a network."""


def network_of(request: Request) -> str:
    """Returns the part that the addresses of one visitor have in common. Behind a proxy on this
    machine it is the visitor that the proxy names."""
    host = request.client.host if request.client is not None else ""
    try:
        address = ip_address(host)
    except ValueError:  # a Unix socket's
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> (128 - NETWORK_BITS) << (128 - NETWORK_BITS)))
    return host
