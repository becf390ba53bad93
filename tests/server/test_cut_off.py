"""Errors of a command whose call the server ends before it has read all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from time import sleep

import grpc
import pytest

from arena.bots.source import PACKED_LIMIT_BYTES
from arena.client.league_service import league_service
from arena.client.user_token import TOKEN
from arena.errors import ArenaError, Exit
from arena.server.limits import SERVER_LIMITS
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest
from sevens.league.v1.worker_pb2 import EnrolWorkerRequest
from tests.support.served import Person, Serve

CODES = grpc.StatusCode
CHUNK = SubmitRequest(chunk=b"7" * (1 << 20))
TRIES = 5  # whether the sender or the refusal is first is a matter of chance


def sending(
    announced: int, *, chunk: SubmitRequest = CHUNK, pause_s: float = 0.0
) -> Iterator[SubmitRequest]:
    yield SubmitRequest(head=SubmitHead(ladder="main", archive_bytes=announced))
    for _ in range(20):
        sleep(pause_s)
        yield chunk


CASES: dict[str, tuple[Callable[[], Iterator[SubmitRequest]], str, Exit]] = {
    "more than was said": (lambda: sending(1 << 20), "but more arrived", Exit.WRONG_INPUT),
    "too large": (
        lambda: sending(PACKED_LIMIT_BYTES + 1),
        "the limit is 104,857,600",
        Exit.WRONG_INPUT,
    ),
    "too slow": (
        lambda: sending(20 << 20, pause_s=0.05),
        "did not arrive within 0.4 seconds; try again",
        Exit.UNREACHABLE,
    ),
    "a giant message": (
        lambda: sending(20 << 20, chunk=SubmitRequest(chunk=bytes(5 << 20))),
        "either it sent more than the server accepts",
        Exit.UNREACHABLE,
    ),
}


def told(address: str, requests: Iterator[SubmitRequest]) -> ArenaError:
    """Returns the error of a command with that call."""
    with pytest.raises(ArenaError) as failed, league_service(address) as arena:
        list(arena.stream("Submit", requests))
    return failed.value


@pytest.mark.parametrize(("requests", "words", "code"), CASES.values(), ids=CASES)
async def test_the_servers_sentence_arrives_while_a_command_still_sends(
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    requests: Callable[[], Iterator[SubmitRequest]],
    words: str,
    code: Exit,
) -> None:
    limits = replace(SERVER_LIMITS, upload_s=0.4) if "0.4 seconds" in words else SERVER_LIMITS
    async with serve(limits) as server:
        be(server.person("Ann"), monkeypatch)
        for _ in range(TRIES):
            error = await asyncio.to_thread(told, server.grpc, requests())
            assert words in error.sentence
            assert error.kind.exit is code


async def test_so_does_the_refusal_of_a_stranger(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve() as server:
        be(server.stranger("sat_x"), monkeypatch)
        for _ in range(TRIES):
            error = await asyncio.to_thread(told, server.grpc, sending(20 << 20))
            assert (error.field, error.kind.exit) == ("token", Exit.UNREACHABLE)
            assert error.sentence.startswith("The token is unknown or was revoked")


def be(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    bearer = dict(person.metadata)["authorization"]
    monkeypatch.setenv(TOKEN, bearer.removeprefix("Bearer "))


@contextmanager
def ending_calls(code: grpc.StatusCode, details: str) -> Iterator[str]:
    """A server that ends every call with a status, as gRPC itself does; yields its address."""

    class Handler(grpc.GenericRpcHandler):
        def service(self, _: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes]:
            return grpc.unary_unary_rpc_method_handler(end)

    def end(_: bytes, context: grpc.ServicerContext) -> bytes:
        context.abort(code, details)
        raise AssertionError("abort raises")

    server = grpc.server(ThreadPoolExecutor(1), handlers=[Handler()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


@pytest.mark.parametrize(
    ("code", "details", "words"),
    [
        (
            CODES.INTERNAL,
            "Received RST_STREAM with error code 2",
            "it sent more than the server accepts",
        ),
        (CODES.INTERNAL, "Internal error from Core", "cut off (Internal error"),
        (CODES.UNAVAILABLE, "Socket closed", "is no longer reachable; try again later"),
        (CODES.UNIMPLEMENTED, "Method not found!", "it runs another version"),
    ],
)
def test_where_only_grpc_says_something_the_command_says_what_it_means(
    monkeypatch: pytest.MonkeyPatch, code: grpc.StatusCode, details: str, words: str
) -> None:
    monkeypatch.setenv(TOKEN, "sat_x")
    with ending_calls(code, details) as address:
        with pytest.raises(ArenaError) as failed, league_service(address) as arena:
            arena.call("EnrolWorker", EnrolWorkerRequest())
        assert words in failed.value.sentence
        assert failed.value.kind.exit is Exit.UNREACHABLE
