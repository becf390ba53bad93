"""The calls of an arena by gRPC: submitting bots and registering remote ones."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from arena.client.grpc_channel import (
    OPTIONS,
    Metadata,
    credentials_for,
    endpoint_of,
    failed_call,
    wait_until_ready,
)
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub


class LeagueService:
    """The service of an arena for submissions, remote bots and workers, by gRPC."""

    def __init__(self, address: str, channel: grpc.Channel, metadata: Metadata) -> None:
        self._address = address
        self._stub = LeagueServiceStub(channel)
        self._metadata = metadata

    def call(self, method: str, request: Any) -> Any:
        """Calls a method of `LeagueService` with a request, or with an iterator of them for a
        streaming method, and returns its response. Raises ArenaError."""
        try:
            return getattr(self._stub, method)(request, metadata=self._metadata)
        except grpc.RpcError as error:
            raise failed_call(self._address, error) from None

    def stream(self, method: str, request: Any) -> Generator[Any]:
        """Calls a method of `LeagueService` that answers by a stream; yields its responses. Closing
        the iterator cancels the call. Raises ArenaError."""
        call = getattr(self._stub, method)(request, metadata=self._metadata)
        try:
            yield from call
        except grpc.RpcError as error:
            raise failed_call(self._address, error) from None
        finally:
            call.cancel()


@contextmanager
def league_service(address: str) -> Iterator[LeagueService]:
    """Connects to an address by gRPC for as long as the context lasts. Raises ArenaError."""
    metadata = credentials_for(address)
    with endpoint_of(address).open(OPTIONS) as channel:
        wait_until_ready(channel, address)
        yield LeagueService(address, channel, metadata)
