"""Proxies that are trusted name the callers whose calls they forward."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from arena.bots.remote.callers import address_of, caller, is_proxy

PROXIES = [ip_network("10.0.0.7"), ip_network("fd00::/64")]


class Call:
    """A call that arrives from a peer, forwarded for some addresses."""

    def __init__(self, peer: str, forwarded: str | None = None) -> None:
        self._peer = peer
        self._forwarded = forwarded

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> list[tuple[str, str]]:
        return [("x-forwarded-for", self._forwarded)] if self._forwarded is not None else []


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("ipv4:10.0.0.7:4242", "192.0.2.1", "192.0.2.1"),
        ("ipv4:10.0.0.7:4242", "198.51.100.9, 192.0.2.1", "192.0.2.1"),  # the first may be a lie
        ("ipv6:%5Bfd00::3%5D:4242", "2001:db8::1", "2001:db8::/64"),
        ("ipv4:10.0.0.7:4242", "no address", "10.0.0.7"),
        ("ipv4:10.0.0.7:4242", None, "10.0.0.7"),
        ("ipv4:10.0.0.8:4242", "192.0.2.1", "10.0.0.8"),  # a stranger says so
        ("unix:", "192.0.2.1", ""),
    ],
)
def test_only_a_trusted_proxy_names_the_caller(
    peer: str, forwarded: str | None, address: str
) -> None:
    assert address_of(caller(Call(peer, forwarded), PROXIES)) == address


def test_a_proxy_is_known_by_address_or_network() -> None:
    assert is_proxy("ipv4:10.0.0.7:1", PROXIES)
    assert is_proxy("ipv6:[fd00::9]:1", PROXIES)
    assert not is_proxy("ipv4:10.0.0.8:1", PROXIES)
    assert not is_proxy("unix:", PROXIES)
