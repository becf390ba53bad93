"""Connections of visitors who do not send a request take no room from those who do."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from arena.web.http import connection, listening_at, served, serving

HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
FILES = 32  # of which half may be connections that wait
FLOOD = 200


async def greet(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


@pytest.fixture
async def address(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[str, int]]:
    monkeypatch.setattr(serving, "CONNECTIONS", FILES)
    app = Starlette(routes=[Route("/", greet)])
    with listening_at("127.0.0.1", 0, "web") as listener:
        async with served(app, listener):
            yield listener.getsockname()


async def answer(address: tuple[str, int], request: bytes) -> bytes:
    """Returns all that the pages say to a request, until they close the connection."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(request)
    said = await reader.read()
    writer.close()
    return said


async def test_a_flood_of_half_requests_keeps_nobody_out(address: tuple[str, int]) -> None:
    with ExitStack() as flood:
        halves = []
        for _ in range(FLOOD):
            half = flood.enter_context(socket.create_connection(address))
            half.send(HALF)
            halves.append(half)
        said = await answer(address, HALF + b"Connection: close\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 200 OK")
        # Of the flood the latest are left, at most.
        for old in halves[: FLOOD - FILES]:
            with pytest.raises(ConnectionResetError):
                await asyncio.to_thread(read_to_the_end, old)


def read_to_the_end(half: socket.socket) -> None:
    assert half.recv(1) != b""


async def test_a_request_that_does_not_arrive_is_answered_so(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "REQUEST_S", 0.05)
    for begun in (b"", HALF):
        said = await answer(address, begun)
        assert said.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert said.endswith(b"The request did not arrive within 10 seconds.\n")


async def test_one_connection_serves_request_after_request(address: tuple[str, int]) -> None:
    reader, writer = await asyncio.open_connection(*address)
    for _ in range(3):
        writer.write(HALF)
        await writer.drain()
        writer.write(b"\r\n")
        assert await reader.readuntil(b"hello")
    writer.close()
