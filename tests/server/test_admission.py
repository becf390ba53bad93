"""Limits on the callers that are admitted at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any
from unittest.mock import create_autospec

import grpc
import grpc.aio
import pytest
import sqlalchemy as sa

from arena.server.admission import Admission
from arena.server.limits import SERVER_LIMITS
from arena.store.schema import Role
from sevens.league.v1.version_pb2 import FetchVersionRequest
from sevens.league.v1.worker_pb2 import (
    EnrolWorkerRequest,
    EnrolWorkerResponse,
)
from sevens.relay.v1.relay_service_pb2_grpc import RelayServiceStub
from tests.support.patience import PATIENCE_S
from tests.support.seats import until
from tests.support.served import Person, Serve, Served

CODES = grpc.StatusCode
LIST = EnrolWorkerRequest()


class Silent:
    """Calls that look like any other on the wire, but never send a request."""

    def __init__(self, server: Served, person: Person) -> None:
        self._channel = grpc.aio.insecure_channel(server.grpc)
        self._open = self._channel.stream_unary(
            "/sevens.league.v1.LeagueService/EnrolWorker",
            response_deserializer=EnrolWorkerResponse.FromString,
        )
        self._person = person

    def call(self) -> Any:
        return self._open(metadata=self._person.metadata)

    async def close(self) -> None:
        await self._channel.close()


@asynccontextmanager
async def silent(server: Served, person: Person, count: int) -> AsyncIterator[list[Any]]:
    """Opens a number of calls that send nothing."""
    one = Silent(server, person)
    yield [one.call() for _ in range(count)]
    await one.close()


async def relaying(server: Served, person: Person) -> tuple[grpc.StatusCode, str]:
    """Returns the end of an attempt to play for a remote bot."""
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        return await ended(RelayServiceStub(channel).Relay(metadata=person.metadata))


async def ended(call: Any) -> tuple[grpc.StatusCode, str]:
    return await call.code(), await call.details()


async def refused_of(calls: list[Any], count: int) -> list[Any]:
    """Waits until so many of the calls are over; returns them."""
    await until(lambda: sum(call.done() for call in calls) >= count)
    return [call for call in calls if call.done()]


async def is_served(person: Person) -> bool:
    with suppress(grpc.aio.AioRpcError):
        await person.call("EnrolWorker", LIST)
        return True
    return False


async def test_a_call_whose_request_never_comes_is_ended(serve: Serve) -> None:
    async with (
        serve(replace(SERVER_LIMITS, silence_s=0.5)) as server,
        silent(server, server.person("Ann", Role.ORGANISER), 1) as [call],
    ):
        code, sentence = await ended(call)
        assert (code, sentence) == (
            CODES.DEADLINE_EXCEEDED,
            "No request arrived within 0.5 seconds.",
        )


async def test_a_stranger_is_refused_before_anything_is_waited_for(server: Served) -> None:
    async with silent(server, server.stranger("sat_x"), 50) as calls:
        for call in calls:
            code, sentence = await ended(call)
            assert code is CODES.UNAUTHENTICATED
            assert sentence.startswith("The token is unknown")


async def test_nobody_takes_all_places(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    admitted = create_autospec(Admission._first, side_effect=Admission._first)
    monkeypatch.setattr(Admission, "_first", admitted)
    async with serve(replace(SERVER_LIMITS, calls=6, calls_a_caller=4)) as server:
        ann, bob = server.person("Ann", Role.ORGANISER), server.person("Bob", Role.ORGANISER)
        async with silent(server, ann, 9) as calls:
            over = await refused_of(calls, 5)
            for call in over:
                assert await ended(call) == (
                    CODES.RESOURCE_EXHAUSTED,
                    "You have 4 calls open; wait for one to end.",
                )
            # The limit covers all of her tokens.
            refused = await server.person("Ann", Role.ORGANISER).refused("EnrolWorker", LIST)
            assert refused.code is CODES.RESOURCE_EXHAUSTED
            await bob.call("EnrolWorker", LIST)
            async with silent(server, bob, 2):
                await until(lambda: admitted.call_count == 4 + 1 + 2)
                refused = await server.person("Cy", Role.ORGANISER).refused("EnrolWorker", LIST)
                assert refused.sentence.startswith("The server is busy with other calls")
        # The server may not have noticed yet that she has hung up.
        async with asyncio.timeout(PATIENCE_S):
            while not await is_served(ann):
                await asyncio.sleep(0.05)


async def test_an_end_without_a_request_is_reported(server: Served) -> None:
    async with silent(server, server.person("Ann", Role.ORGANISER), 1) as [call]:
        await call.done_writing()
        assert await ended(call) == (CODES.INVALID_ARGUMENT, "The call has no request.")


@pytest.mark.parametrize(
    ("size", "compression", "code"),
    [
        (5 << 20, grpc.Compression.NoCompression, CODES.RESOURCE_EXHAUSTED),
        (99 << 20, grpc.Compression.Gzip, CODES.RESOURCE_EXHAUSTED),
    ],
)
async def test_a_giant_request_is_not_taken(
    server: Served, size: int, compression: grpc.Compression, code: grpc.StatusCode
) -> None:
    person = server.person("Ann", Role.ORGANISER)
    options = [("grpc.max_send_message_length", -1)]
    async with grpc.aio.insecure_channel(server.grpc, options=options) as channel:
        call = channel.unary_unary("/sevens.league.v1.LeagueService/EnrolWorker")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(bytes(size), metadata=person.metadata, compression=compression)
        assert refused.value.code() is code
    await person.call("EnrolWorker", LIST)


async def test_giant_metadata_is_not_taken(server: Served) -> None:
    person = server.person("Ann", Role.ORGANISER)
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        call = channel.unary_unary("/sevens.league.v1.LeagueService/EnrolWorker")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(b"", metadata=(*person.metadata, ("x", "7" * 100_000)))
        assert refused.value.code() is CODES.RESOURCE_EXHAUSTED
    await person.call("EnrolWorker", LIST)


async def test_while_the_store_cannot_be_used_callers_are_told_and_the_server_stays(
    server: Served, caplog: pytest.LogCaptureFixture
) -> None:
    person, worker = server.person("Ann", Role.ORGANISER), server.person("w1", Role.WORKER)
    with server.store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE tokens RENAME TO elsewhere"))
    fetch = FetchVersionRequest(version="7" * 64)
    listing, submitting = (
        await person.refused("EnrolWorker", LIST),
        await person.submits_in_vain(b"x"),
    )
    for code, sentence in (
        (listing.code, listing.sentence),
        (submitting.code, submitting.sentence),
        await ended(server.stub.FetchVersion(fetch, metadata=worker.metadata)),
        await relaying(server, worker),
    ):
        assert code is CODES.UNAVAILABLE
        assert sentence.startswith("The arena cannot use its store at the moment")
    assert "no such table: tokens" in caplog.text
    with server.store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE elsewhere RENAME TO tokens"))
    await person.call("EnrolWorker", LIST)
