"""What the pages' sockets have to be."""

import socket

from arena.web.http import listening_at


def test_an_answer_does_not_wait_for_an_acknowledgement() -> None:
    with (
        listening_at("127.0.0.1", 0, "web") as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
