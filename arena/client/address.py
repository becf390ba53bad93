"""Addresses of arenas, as users write them."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from arena.errors import ArenaError, Kind

LOCAL = "unix:"
SECURE = "https://"
PLAIN = "http://"
GRPC, GRPCS = "grpc://", "grpcs://"


@dataclass(frozen=True)
class Address:
    """The address of an arena's pages and API.

    `base`: what the path of a request is added to.
    `socket`: the path of a Unix socket, by which it is reached; empty: by `base`.
    `loopback`: whether it can only be this machine.
    """

    base: str
    host: str = ""
    port: int = 0
    socket: str = ""
    loopback: bool = True

    @property
    def secure(self) -> bool:
        return self.base.startswith(SECURE)


def address_of(server: str) -> Address:
    """Reads the address of an arena: https://HOST, with a port and a path if it has them,
    HOST:PORT, or the Unix socket of a data folder. Without a scheme TLS is used for every other
    machine. Raises ArenaError, also if a token would be sent to another machine without TLS."""
    if server.startswith(LOCAL):
        return Address("http://arena", socket=server.removeprefix(LOCAL))
    scheme, address = _split(server)
    if scheme == SECURE and ":" not in address.rpartition("]")[2].partition("/")[0]:
        host_part, slash, path = address.partition("/")
        address = f"{host_part}:443{slash}{path}"
    place, slash, path = address.rstrip("/").partition("/")
    host, port = host_and_port(place, "server")
    loopback = is_loopback(host)
    if scheme == PLAIN and not loopback:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{server} is another machine, and without TLS your token would be readable in transit:"
            f" use https://{address}.",
            "server",
        )
    scheme = scheme or (PLAIN if loopback else SECURE)
    return Address(f"{scheme}{place}{slash}{path}", host, port, loopback=loopback)


def _split(server: str) -> tuple[str, str]:
    """Returns the scheme of an address, empty if it has none, and the rest."""
    for scheme in (SECURE, PLAIN):
        if server.startswith(scheme):
            return scheme, server.removeprefix(scheme)
    return "", server


def host_and_port(address: str, field: str) -> tuple[str, int]:
    """Splits HOST:PORT; an IPv6 host is in brackets. Raises ArenaError about `field`."""
    try:
        parts = urlsplit(f"//{address}")
        is_plain = address.isprintable() and " " not in address and parts.netloc == address
        if parts.hostname and parts.port is not None and is_plain:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise ArenaError(
        Kind.WRONG_INPUT,
        f"An address is HOST:PORT, such as 127.0.0.1:7777 or [::1]:7777; not {address!r}.",
        field,
    )


def is_loopback(host: str) -> bool:
    """Returns whether the host can only be this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def grpc_address(server: str) -> str:
    """Returns the address by gRPC of the arena at an address. The Unix socket of a data folder is
    one already, and so is grpc://HOST:PORT, or grpcs:// with TLS, for workers that do not reach the
    pages. Raises ArenaError."""
    if server.startswith(LOCAL):
        return server
    for scheme, prefix in ((GRPC, ""), (GRPCS, SECURE)):
        if server.startswith(scheme):
            return prefix + server.removeprefix(scheme)
    from arena.client.http_arena import connected  # which takes long to load
    from arena.operations.arena import read_arena

    with connected(server) as arena:
        listening = arena.ask(read_arena).grpc
    if not listening:
        raise ArenaError(
            Kind.UNREACHABLE,
            f"The arena at {server} is not running at the moment; only its pages are.",
            "server",
        )
    return _reached(server, listening)


def grpc_at(origin: str) -> str:
    """Returns the address by gRPC of a server behind a proxy. Raises ArenaError."""
    return address_of(origin).base.removeprefix(PLAIN)


def _reached(server: str, listening: str) -> str:
    """Returns the address at which an arena listens, as it is reached from here. Raises
    ArenaError."""
    place, pages = listening.removeprefix(SECURE), address_of(server)
    if place.startswith(":"):
        host = f"[{pages.host}]" if ":" in pages.host else pages.host
        return f"{SECURE if place != listening else ''}{host}{place}"
    if is_loopback(host_and_port(place, "server")[0]) and not pages.loopback:
        raise ArenaError(
            Kind.UNREACHABLE,
            f"The arena at {server} takes submissions and workers only on its own machine: it"
            f" listens at {place}.",
            "server",
        )
    return listening
