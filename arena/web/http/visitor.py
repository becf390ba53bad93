"""The network of a visitor."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from starlette.requests import Request

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
