"""Redis addresses: checked before use, displayed without their password."""

from __future__ import annotations

from urllib.parse import urlsplit

from redis import Redis

from arena.errors import ArenaError, Kind


def check_address(url: str) -> None:
    """Raises ArenaError unless the address is `redis://HOST:PORT`, `rediss://HOST:PORT` or
    `unix:///PATH`."""
    try:
        Redis.from_url(url)  # as redis-py reads it, including its parameters
        parts = urlsplit(url)
        place = parts.path if parts.scheme == "unix" else parts.hostname
        good = parts.scheme in ("redis", "rediss", "unix") and place and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "The address of a Redis server is redis://HOST:PORT (with TLS rediss://HOST:PORT) or"
            f" unix:///PATH, not {without_password(url)!r}.",
            "redis",
        )


def without_password(url: str) -> str:
    """Returns the address without its password, for display."""
    place, at, rest = url.rpartition("@")
    scheme = place.partition("//")[0] + "//" if at and "//" in place else ""
    return f"{scheme}{rest}".partition("?")[0]
