"""What the pages' sockets have to be."""

import socket
from unittest.mock import MagicMock, Mock

import pytest

from arena.web.http import listening_at


def test_an_answer_does_not_wait_for_an_acknowledgement() -> None:
    with (
        listening_at("127.0.0.1", 0, "web") as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize(("host", "both"), [("::", True), ("::1", False), ("127.0.0.1", False)])
def test_every_address_is_one_socket_for_both_versions_of_ip(
    monkeypatch: pytest.MonkeyPatch, host: str, both: bool
) -> None:
    """Not every machine has IPv6, so the socket is a stand-in."""
    create = Mock(return_value=MagicMock())
    monkeypatch.setattr(socket, "create_server", create)
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: True)
    with listening_at(host, 0, "web"):
        assert create.call_args.kwargs["dualstack_ipv6"] is both
