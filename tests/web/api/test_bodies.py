"""Requests that change something, as strangers may send them: bounded before they are read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from starlette.types import Message, Receive, Scope, Send

from arena.web.api.bounded_body import LONGEST_BODY, BoundedBody
from arena.web.http import forms

Told = list[Message]


async def received(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers with the body that it was sent."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


async def told(parts: AsyncIterator[bytes], **headers: str) -> tuple[int, bytes]:
    """Returns the status and the body of the answer to a POST with a body in these parts."""
    answer: Told = []

    async def receive() -> Message:
        part = await anext(parts, None)
        return {"type": "http.request", "body": part or b"", "more_body": part is not None}

    async def send(message: Message) -> None:
        answer.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": raw}
    await BoundedBody(received)(scope, receive, send)
    return answer[0]["status"], b"".join(part.get("body", b"") for part in answer)


async def some(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def test_a_body_arrives_as_it_was_sent() -> None:
    assert await told(some(b"{", b"}")) == (200, b"{}")
    assert await told(some(b"x" * LONGEST_BODY)) == (200, b"x" * LONGEST_BODY)


async def test_a_body_that_is_too_long_is_not_read_to_its_end() -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(LONGEST_BODY // 1000 + 2):
            yield b"x" * 1000
        raise AssertionError("it is read on")

    status, body = await told(endless())
    assert (status, json.loads(body)["field"]) == (413, "body")


async def test_a_body_that_says_so_is_not_read_at_all() -> None:
    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("it is read")
        yield b""

    status, body = await told(unread(), content_length=str(LONGEST_BODY + 1))
    assert (status, "64 KiB" in json.loads(body)["sentence"]) == (413, True)


async def test_a_body_that_breaks_off_changes_nothing() -> None:
    answer: Told = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        answer.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    await BoundedBody(received)(scope, receive, send)
    assert answer == []


async def test_a_body_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "BODY_S", 0.01)

    async def silent() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    status, body = await told(silent())
    assert (status, json.loads(body)["kind"]) == (408, "too-slow")
