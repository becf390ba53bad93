"""Whatever a caller sends, no call fails as if the arena itself had."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import product
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from arena.server.limits import ServerLimits
from arena.store.schema import Role
from arena.store.tokens import create_token
from sevens.league.v1 import league_service_pb2
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest
from sevens.relay.v1 import relay_service_pb2
from tests.support.served import Serve, Served
from tests.support.stored_matches import MATCH, add_bots, add_match

SERVICE = league_service_pb2.DESCRIPTOR.services_by_name["LeagueService"]
RELAY = "/sevens.relay.v1.RelayService/Relay"
OURS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE)
# Bytes that are no message: cut short, an unknown wire type, a lone surrogate, half of UTF-8.
RAW = [b"\xff" * 9, b"\x0a\x7f", b"\x0f", b"\x0a\x03\xed\xa0\x80", b"\x0a\x01\xff", b"\x08"]
TEXTS = [
    *("", "\x00", "main\x00", "\x1b[31m\n", "\u202e", "%", "_", "\\", "-", "-1", "m-\u0661"),
    *("x" * 100_000, "%" * 60_000, "-" + "9" * 5000, "\U0010ffff", "a" + "\u0301" * 300),
    *("main", "ann-bot", MATCH, "f" * 64, "../../etc/passwd", "'; DROP TABLE bots; --"),
]
NUMBERS = [0, 1, 7, 2**31 - 1, 2**32 - 1]
ENUMS = [0, 1, 99, -1, 2**31 - 1]
MANY = ServerLimits(
    silence_s=1.0, submissions_a_day=10_000, calls_a_caller=64, submissions_an_owner=64
)


def requests_of(kind: Descriptor) -> Iterator[bytes]:
    """Yields requests that say the same odd thing in all fields of a kind."""
    yield from RAW
    for text, number in product(TEXTS, NUMBERS[:1]):
        yield message(kind, text, number, 1)
    for number, enum in zip(NUMBERS, ENUMS, strict=True):
        for text in ("main", "ann-bot"):
            yield message(kind, text, number, enum)


def fill(several: Any, text: str) -> None:
    """Adds an odd value to a list or map."""
    if hasattr(several, "update"):
        several.update({text: text})
    elif hasattr(several, "add"):  # of messages
        several.add()
    else:
        several.extend([text])


def message(kind: Descriptor, text: str, number: int, enum: int) -> bytes:
    request = GetMessageClass(kind)()
    for field in kind.fields:
        if field.is_repeated:
            fill(getattr(request, field.name), text)
            continue
        match field.type:
            case FieldDescriptor.TYPE_STRING:
                setattr(request, field.name, text)
            case FieldDescriptor.TYPE_ENUM:
                setattr(request, field.name, enum)
            case FieldDescriptor.TYPE_BOOL:
                setattr(request, field.name, bool(number % 2))
            case FieldDescriptor.TYPE_MESSAGE | FieldDescriptor.TYPE_BYTES:
                pass
            case _:
                setattr(request, field.name, number)
    return bytes(request.SerializeToString())


@pytest.fixture
async def server(serve: Serve) -> AsyncIterator[Served]:
    async with serve(MANY) as served:
        with served.store.writing() as session:
            add_bots(session)
            add_match(session, MATCH, "main")
        yield served


def status(
    channel: grpc.Channel, method: str, sent: list[bytes], token: str | None
) -> tuple[grpc.StatusCode, str]:
    """Returns the status of a call whose requests are these bytes.

    gRPC's asynchronous client would have a status of its own, INTERNAL, for a call that is refused
    while it sends.
    """
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    streaming: Any = channel.stream_stream(method)
    call = streaming(iter(sent), metadata=metadata)
    with suppress(grpc.RpcError):
        for _ in call:
            pass
    return call.code(), call.details()


async def check(served: Served, calls: list[tuple[str, list[bytes]]], role: Role | str) -> None:
    """Makes the calls, some at once, as a caller of that kind."""
    address = f"unix:{served.socket}" if role == "local" else served.grpc
    token: str | None = None if role in ("local", "nobody") else "sat_unknown"
    if isinstance(role, Role):
        with served.store.writing() as session:
            token = create_token(session, "Ann", role)[1]
    run = asyncio.get_running_loop().run_in_executor
    with grpc.insecure_channel(address) as channel, ThreadPoolExecutor(8) as threads:

        async def one(method: str, sent: list[bytes]) -> None:
            code, details = await run(threads, status, channel, method, sent, token)
            assert code not in OURS, (method, [raw[:80] for raw in sent], details)

        await asyncio.gather(*(one(*call) for call in calls))


@pytest.mark.parametrize("role", ["nobody", "local", *Role])
async def test_no_call_fails_as_if_the_arena_had(
    server: Served, role: Role | str, caplog: pytest.LogCaptureFixture
) -> None:
    assert server.grpc
    calls = [
        (f"/{SERVICE.full_name}/{method.name}", [raw])
        for method in SERVICE.methods
        if method.name != "Submit"
        for raw in requests_of(method.input_type)
    ]
    await check(server, calls, role)
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]


@pytest.mark.parametrize("role", [Role.OWNER, Role.ORGANISER])
async def test_no_submission_fails_as_if_the_arena_had(
    server: Served, role: Role, caplog: pytest.LogCaptureFixture
) -> None:
    heads = [
        SubmitRequest(head=SubmitHead(ladder=text, version=text)).SerializeToString()
        for text in TEXTS
    ]
    archives = [b"", b"\x00", b"\x1f\x8b\x08", b"garbage" * 99, bytes(100_000)]
    whole = [
        [
            SubmitRequest(
                head=SubmitHead(ladder="main", archive_bytes=len(archive))
            ).SerializeToString(),
            SubmitRequest(chunk=archive).SerializeToString(),
        ]
        for archive in archives
    ]
    good = whole[1][0]
    sent = [*([raw] for raw in (*RAW, *heads)), *([good, raw] for raw in (*RAW, *heads)), *whole]
    await check(server, [(f"/{SERVICE.full_name}/Submit", parts) for parts in sent], role)
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
    assert not list(server.data.path.glob("incoming-*"))


@pytest.mark.parametrize("role", ["nobody", Role.WORKER, Role.OWNER])
async def test_no_relay_fails_as_if_the_arena_had(
    server: Served,
    role: Role | str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.server.remote.relay.SEATED_WITHIN_S", 0.05)
    seats = [
        relay_service_pb2.RelayRequest(
            seat=relay_service_pb2.Seat(bot=text, match_id=text)
        ).SerializeToString()
        for text in TEXTS
    ]
    sent = [*([raw] for raw in (*RAW, *seats)), *([seats[-1], raw] for raw in RAW)]
    await check(server, [(RELAY, parts) for parts in sent], role)
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
