"""Addresses of servers: where one listens, and how one is called."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from arena.client.errors import CommandError

SECURE = "https://"


def host_and_port(address: str, field: str) -> tuple[str, int]:
    """The two parts of HOST:PORT; an IPv6 host stands in brackets."""
    try:
        parts = urlsplit(f"//{address}")
        if parts.hostname and parts.port is not None and parts.netloc == address:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise CommandError(
        f"An address is HOST:PORT, such as 127.0.0.1:7777 or [::1]:7777; not {address!r}.", field
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can be meant."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
