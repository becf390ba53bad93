"""Ports for programs that tests start, where port 0 does not do: others must know them before."""

import secrets
import socket
from contextlib import suppress
from pathlib import Path

SYSTEM_PORTS = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port() -> int:
    """Returns a port of this machine on which nothing listens. The system gives such a port to no
    program that asks for any port, so it is still free when it is used."""
    given_to_any, _ = map(int, SYSTEM_PORTS.read_text().split())
    while True:
        port = secrets.choice(range(given_to_any // 2, given_to_any))
        with socket.socket() as one, suppress(OSError):  # something listens there
            one.bind(("", port))
            return port
