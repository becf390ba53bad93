"""Addresses of arenas, as users write them."""

from __future__ import annotations

import pytest

from arena.client.address import Address, address_of
from arena.errors import Kind
from tests.support.failing import failing


@pytest.mark.parametrize(
    ("server", "base", "port"),
    [
        ("127.0.0.1:7778", "http://127.0.0.1:7778", 7778),
        ("localhost:7778", "http://localhost:7778", 7778),
        ("[::1]:7778", "http://[::1]:7778", 7778),
        ("http://127.0.0.1:7778/", "http://127.0.0.1:7778", 7778),
        ("https://127.0.0.1:7778", "https://127.0.0.1:7778", 7778),
        ("arena.example:7778", "https://arena.example:7778", 7778),
        ("https://arena.example", "https://arena.example:443", 443),
        ("https://arena.example/cards/", "https://arena.example:443/cards", 443),
        ("https://[2001:db8::7]", "https://[2001:db8::7]:443", 443),
    ],
)
def test_an_address_says_how_it_is_reached(server: str, base: str, port: int) -> None:
    address = address_of(server)
    assert (address.base, address.port, address.socket) == (base, port, "")
    assert address.secure is base.startswith("https://")


def test_a_data_folder_is_reached_by_a_socket() -> None:
    assert address_of("unix:/run/door.sock") == Address("http://arena", socket="/run/door.sock")


@pytest.mark.parametrize("server", ["arena.example", "127.0.0.1", ":7778", "https://", "a b:7"])
def test_what_is_no_address_is_refused(server: str) -> None:
    with failing(Kind.WRONG_INPUT, match="An address is HOST:PORT"):
        address_of(server)


def test_no_token_is_sent_to_another_machine_without_tls() -> None:
    with failing(Kind.WRONG_INPUT, match="use https://arena.example:7778"):
        address_of("http://arena.example:7778")
