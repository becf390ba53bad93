"""A worker's enrolment with an arena that is being started."""

from __future__ import annotations

from typing import Any

import grpc
import grpc.aio
import pytest

from arena.client.version_sources import enrolled
from arena.errors import ArenaError
from sevens.league.v1.league_service_pb2_grpc import (
    LeagueServiceServicer,
    add_LeagueServiceServicer_to_server,
)
from sevens.league.v1.worker_pb2 import EnrolWorkerRequest, EnrolWorkerResponse


class Answering(LeagueServiceServicer):
    """Fails with these codes, one after the other, before it admits a worker."""

    def __init__(self, *codes: grpc.StatusCode) -> None:
        self.codes = list(codes)

    async def EnrolWorker(
        self, _request: EnrolWorkerRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> EnrolWorkerResponse:
        if self.codes:
            await context.abort(self.codes.pop(0), "Stream removed")
        return EnrolWorkerResponse(signing_key=b"key")


async def _asked(answering: Answering, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setenv("ARENA_USER_TOKEN", "token")
    monkeypatch.setattr("arena.client.version_sources.PAUSE_S", 0.0)
    server = grpc.aio.server()
    add_LeagueServiceServicer_to_server(answering, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        return await enrolled(f"127.0.0.1:{port}", "worker-1")
    finally:
        await server.stop(None)


async def test_a_worker_asks_again_while_an_arena_is_being_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answering = Answering(grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE)
    assert await _asked(answering, monkeypatch) == b"key"
    assert not answering.codes


async def test_a_worker_that_is_turned_away_does_not_ask_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answering = Answering(grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNKNOWN)
    with pytest.raises(ArenaError, match="Stream removed"):
        await _asked(answering, monkeypatch)
    assert answering.codes
