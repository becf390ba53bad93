"""Redis addresses: checked before use, opened, displayed without their password."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio import Redis, Sentinel
from redis.asyncio.connection import SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.backoff import NoBackoff

from arena.errors import ArenaError, Kind

SENTINELS = "+sentinel"  # after the scheme of an address that names Sentinels
SENTINELS_PORT = 26379


def opened(url: str, answer_within_s: float) -> Redis:
    """Returns a client of the Redis at an address, not connected yet. It never tries again by
    itself.

    `redis+sentinel://HOST:PORT,HOST:PORT/NAME` is the master that these Sentinels call NAME; their
    own password is the parameter `sentinel_password`. Raises ValueError if the address is wrong.
    """
    scheme, _, rest = url.partition("://")
    settings: dict[str, Any] = {
        "protocol": 2,  # sets the shape of answers; its default depends on redis-py's version
        "socket_timeout": answer_within_s,
        "socket_connect_timeout": answer_within_s,
        "retry": Retry(NoBackoff(), 0),
        "driver_info": None,  # no CLIENT SETINFO, which Redis 7.0 lacks
    }
    if not scheme.endswith(SENTINELS):
        return Redis.from_url(url, **settings)
    return _master(f"{scheme.removesuffix(SENTINELS)}://{rest}", settings)


def _master(url: str, settings: Mapping[str, Any]) -> Redis:
    parts = urlsplit(url)
    credentials, at, hosts = parts.netloc.rpartition("@")
    places = [urlsplit(f"//{host}") for host in hosts.split(",")]
    name = parts.path.strip("/")
    if not name or not all(place.hostname for place in places):
        raise ValueError("Sentinels and the name of a master are needed")
    given = dict(parse_url(f"{parts.scheme}://{credentials}{at}sentinel/?{parts.query}"))
    given.pop("host")
    tls = given.pop("connection_class", None) is SSLConnection
    own = {key: given.pop(f"sentinel_{key}", None) for key in ("username", "password")}
    secure: dict[str, Any] = {"ssl": tls} | {
        key: value for key, value in given.items() if key.startswith("ssl_")
    }
    sentinels = Sentinel(  # type: ignore[no-untyped-call]
        [(place.hostname, place.port or SENTINELS_PORT) for place in places],
        sentinel_kwargs={**settings, **secure, **own},
    )
    master: Redis = sentinels.master_for(name, **{**settings, **given, "ssl": tls})
    return master


async def close(redis: Redis) -> None:
    """Closes the connections of a client that `opened` has returned, those to Sentinels too."""
    await redis.aclose()
    if isinstance(redis.connection_pool, SentinelConnectionPool):
        for sentinel in redis.connection_pool.sentinel_manager.sentinels:
            await sentinel.aclose()


def check_address(url: str) -> None:
    """Raises ArenaError unless the address is `redis://HOST:PORT`, `rediss://HOST:PORT`,
    `redis+sentinel://HOST:PORT,HOST:PORT/NAME` or `unix:///PATH`."""
    try:
        opened(url, 1)  # as redis-py reads it, including its parameters
        parts = urlsplit(url)
        scheme = parts.scheme.removesuffix(SENTINELS)
        place = parts.path if scheme == "unix" else parts.hostname
        several = scheme != parts.scheme
        good = scheme in ("redis", "rediss", "unix") and place and (several or parts.port != 0)
    except ValueError:
        good = False
    if not good:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "The address of a Redis server is redis://HOST:PORT (with TLS rediss://HOST:PORT, with"
            " Sentinels redis+sentinel://HOST:PORT,HOST:PORT/NAME) or unix:///PATH, not"
            f" {without_password(url)!r}.",
            "redis",
        )


def without_password(url: str) -> str:
    """Returns the address without its password, for display."""
    place, at, rest = url.rpartition("@")
    scheme = place.partition("//")[0] + "//" if at and "//" in place else ""
    return f"{scheme}{rest}".partition("?")[0]
