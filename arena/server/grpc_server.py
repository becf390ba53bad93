"""The server's ends: a TCP port for everybody, a Unix socket for who may enter the data folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import grpc.aio

from arena.bots.remote.gateway import RemoteGateway
from arena.bots.stream.gateway import TRANSPORT_LIMIT_BYTES
from arena.server.admission import Admission
from arena.server.limits import Bounds
from arena.server.remote.relay import CALLS, RelayService
from arena.server.service import LeagueService
from sevens.league.v1.league_service_pb2_grpc import add_LeagueServiceServicer_to_server
from sevens.relay.v1.relay_service_pb2_grpc import add_RelayServiceServicer_to_server

# A chunk, and what is around it, is smaller; for a bot's frame see there.
MESSAGE_LIMIT_BYTES = TRANSPORT_LIMIT_BYTES
LEAVE_S = 2.0
CONNECTIONS = 512  # a process may have 1,024 files open, as a rule
STREAMS_A_CONNECTION = 64
STREAMS = 1024  # of everybody, known or not, before they are looked at
OPTIONS = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
    ("grpc.so_reuseport", 0),  # two servers on one port are a mistake
    # Streams whose other end has gone are noticed, and connections that say nothing closed.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),  # that is, any number: remote bots may wait for hours
    # A worker's pings find out whether the server is there.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.max_connection_idle_ms", 60_000),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_allowed_incoming_connections", CONNECTIONS),
    ("grpc.max_concurrent_streams", STREAMS_A_CONNECTION),
)


class CannotListen(Exception):
    """The server cannot have the address. Its text says which."""


@dataclass(frozen=True)
class Certificate:
    """What a TLS server shows. Both in PEM."""

    chain: bytes
    key: bytes


@dataclass(frozen=True)
class Services:
    """What is served."""

    league: LeagueService
    relay: RelayService
    remotes: RemoteGateway


@asynccontextmanager
async def listening(
    services: Services,
    address: str,
    certificate: Certificate | None,
    socket: Path,
    bounds: Bounds,
) -> AsyncIterator[int]:
    """Serves at the address and the socket as long as the context lasts; gives the port. In the end
    calls have a moment to end, and remote bots are sent to the next server. Raises CannotListen."""
    server = grpc.aio.server(
        options=OPTIONS,
        interceptors=[Admission(services.league.identify, bounds)],
        maximum_concurrent_rpcs=_streams(bounds),
    )
    add_LeagueServiceServicer_to_server(services.league, server)
    add_RelayServiceServicer_to_server(services.relay, server)
    services.remotes.add_to(server)
    try:
        port = _add_port(server, address, certificate)
        server.add_insecure_port(f"unix:{socket}")
    except RuntimeError as error:
        raise CannotListen(f"The server cannot listen on {address}: {error}.") from None
    await server.start()
    try:
        yield port
    finally:
        services.remotes.close()
        await server.stop(LEAVE_S)


def _streams(bounds: Bounds) -> int:
    """How many streams there may be at once: those of remote bots and of workers must not keep
    others out. A bot may have two for a moment, of which the first is ended."""
    return STREAMS + CALLS + 2 * bounds.remotes.bots


def _add_port(server: grpc.aio.Server, address: str, certificate: Certificate | None) -> int:
    if certificate is None:
        return server.add_insecure_port(address)
    credentials = grpc.ssl_server_credentials([(certificate.key, certificate.chain)])
    return server.add_secure_port(address, credentials)
