"""A real server under floods by strangers: it refuses them, and continues in bounded memory."""

from __future__ import annotations

import asyncio
import os
import socket
import tarfile
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import psutil
import pytest

from arena.cli.app import run
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest
from sevens.league.v1.worker_pb2 import EnrolWorkerRequest
from tests.support.command_line import ran
from tests.support.whole_arena.arena import Part, WholeArena
from tests.support.whole_arena.strangers import address, grpc_address, token_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

CODES = grpc.StatusCode
MEBIBYTES = 300  # a server that has done nothing yet has about 110


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[WholeArena]:
    with WholeArena(tmp_path) as arena:
        data = str(arena.data)
        assert run(["ladder", "create", "main", "xeri", "--set", "deals=1", "--data", data]) == 0
        yield arena
        arena.assert_nothing_runs()


@pytest.fixture
def server(arena: WholeArena) -> Iterator[Part]:
    """After the test, the server still answers and has never used more than MEBIBYTES."""
    server = arena.server(workers=0)
    token = token_of(arena, "Ann")
    yield server
    listed = ran("bot", "list", "--json", server=address(server), token=token)
    assert listed.json == {"versions": []}
    peak = peak_mebibytes(server)
    print(f"peak: {peak} MiB, open files: {psutil.Process(server.process.pid).num_fds()}")
    assert peak < MEBIBYTES
    assert list(arena.data.glob("incoming-*")) == []
    server.stop()


def peak_mebibytes(part: Part) -> int:
    [process] = [  # the server process that `part` has started
        line
        for line in Path(f"/proc/{part.process.pid}/status").read_text().splitlines()
        if line.startswith("VmHWM")
    ]
    return int(process.split()[1]) >> 10


def test_thousands_of_connections_that_say_nothing(server: Part) -> None:
    host, _, port = grpc_address(server).rpartition(":")
    flood = []
    for number in range(3000):
        one = socket.create_connection((host, int(port)), timeout=10)
        if number % 3 == 0:
            one.sendall(os.urandom(100) if number % 2 else b"PRI * HTTP/2.0\r\n")
        flood.append(one)
    assert psutil.Process(server.process.pid).num_fds() < 700
    for one in flood:
        one.close()


@pytest.mark.nightly
def test_thousands_of_streams_with_wrong_tokens(server: Part) -> None:
    async def flood() -> list[str]:
        async with grpc.aio.insecure_channel(grpc_address(server)) as channel:
            call = LeagueServiceStub(channel).EnrolWorker
            return await asyncio.gather(*(code_of(call, f"sat_{number}") for number in range(3000)))

    async def code_of(call: grpc.aio.UnaryUnaryMultiCallable[Any, Any], token: str) -> str:
        metadata = (("authorization", f"Bearer {token}"),)
        while True:
            try:
                await call(EnrolWorkerRequest(), metadata=metadata)
            except grpc.aio.AioRpcError as error:
                told = f"{error.code().name}: {error.details()}"
                # HTTP/2 refused one stream too many on this connection: it may be repeated.
                if not told.startswith("UNAVAILABLE: Stream removed"):
                    return told
            else:
                raise AssertionError("let in")

    assert set(asyncio.run(flood())) == {
        "UNAUTHENTICATED: The token is unknown or was revoked; ask an organiser for a new one."
    }


@pytest.mark.nightly
def test_many_owners_send_bombs_and_giants_at_once(arena: WholeArena, server: Part) -> None:
    tokens = [token_of(arena, f"Eve {number}") for number in range(12)]
    contents = [bomb(), os.urandom(30 << 20), b""] * 4

    async def flood() -> list[tuple[grpc.StatusCode, str]]:
        async with grpc.aio.insecure_channel(grpc_address(server)) as channel:
            stub = LeagueServiceStub(channel)
            return await asyncio.gather(
                *(submit(stub, *one) for one in zip(tokens, contents, strict=True))
            )

    async def submit(
        stub: LeagueServiceStub, token: str, content: bytes
    ) -> tuple[grpc.StatusCode, str]:
        try:
            metadata = (("authorization", f"Bearer {token}"),)
            await stub.Submit(parts(content), metadata=metadata)
        except grpc.aio.AioRpcError as error:
            return error.code(), error.details() or ""
        raise AssertionError("accepted")

    told = asyncio.run(flood())
    refused = {CODES.INVALID_ARGUMENT, CODES.RESOURCE_EXHAUSTED}
    # gRPC's client reports this if the server ends the call while a chunk is on its way.
    cut_off = (CODES.INTERNAL, "Internal error from Core")
    assert [one for one in told if one[0] not in refused and one != cut_off] == []
    for words in ("larger than", "not a readable tar.gz", "ends too early"):
        assert any(words in sentence for _, sentence in told), words


def bomb() -> bytes:
    """A file of 4 GiB, packed into 4 MiB."""
    header = tarfile.TarInfo("bot.py")
    header.size = 4 << 30
    packer = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)  # a gzip file
    begin = packer.compress(header.tobuf(tarfile.GNU_FORMAT)) + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(bytes(64 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return begin + 64 * piece


async def parts(content: bytes) -> AsyncIterator[SubmitRequest]:
    yield SubmitRequest(head=SubmitHead(ladder="main", archive_bytes=len(content)))
    for start in range(0, len(content), 1 << 20):
        yield SubmitRequest(chunk=content[start : start + (1 << 20)])
