"""The standard health service on the arena's gRPC port."""

from __future__ import annotations

import grpc
import grpc.aio
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from arena.server.grpc_server import SERVICES
from tests.support.served import Serve


async def test_every_service_is_serving_and_no_other(serve: Serve) -> None:
    async with serve() as server, grpc.aio.insecure_channel(server.grpc) as channel:
        health = HealthStub(channel)
        for service in SERVICES:
            answer = await health.Check(HealthCheckRequest(service=service))
            assert answer.status == HealthCheckResponse.SERVING
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await health.Check(HealthCheckRequest(service="sevens.other"))
        assert refused.value.code() == grpc.StatusCode.NOT_FOUND


async def test_a_watch_is_not_offered_to_strangers(serve: Serve) -> None:
    async with serve() as server, grpc.aio.insecure_channel(server.grpc) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            [_ async for _ in HealthStub(channel).Watch(HealthCheckRequest())]
        assert refused.value.code() == grpc.StatusCode.UNIMPLEMENTED
