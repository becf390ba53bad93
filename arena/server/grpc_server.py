"""The gRPC server: a TCP port for everybody, a Unix socket for those who own the data folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1.health import aio as health
from grpc_health.v1.health_pb2 import HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import add_HealthServicer_to_server

from arena.bots.remote import RemoteGateway
from arena.bots.stream import TRANSPORT_LIMIT_BYTES
from arena.certificate import Certificate
from arena.errors import ArenaError, Kind
from arena.server.admission import Admission
from arena.server.connections import ConnectionGuard
from arena.server.limits import ServerLimits
from arena.server.remote import CALLS, RelayService
from arena.server.service import LeagueService
from sevens.league.v1.league_service_pb2_grpc import add_LeagueServiceServicer_to_server
from sevens.relay.v1.relay_service_pb2_grpc import add_RelayServiceServicer_to_server

# A chunk with its envelope is smaller; a bot's frame may be this large.
MESSAGE_LIMIT_BYTES = TRANSPORT_LIMIT_BYTES
LEAVE_S = 2.0
SERVICES = (
    "",  # the server as a whole
    "sevens.bot.v1.BotService",
    "sevens.league.v1.LeagueService",
    "sevens.relay.v1.RelayService",
)
"""The services for which the health service answers."""
CONNECTIONS = 512  # a process may usually have 1,024 files open
STREAMS_A_CONNECTION = 64
STREAMS = 1024  # of all callers, before they are authenticated
# Calls that have arrived and wait to be read. Beyond the first number gRPC cancels more and more of
# them at random, beyond the second all of them, whichever callers they come from.
PENDING, MOST_PENDING = 8 * 1024, 16 * 1024
OPTIONS = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
    ("grpc.so_reuseport", 0),  # two servers on one port would be a mistake
    # Detects streams whose peer has died, and closes idle connections.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),  # no limit: remote bots may wait for hours
    # Workers ping to find out whether the server is still there.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.max_connection_idle_ms", 60_000),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_allowed_incoming_connections", CONNECTIONS),
    ("grpc.max_concurrent_streams", STREAMS_A_CONNECTION),
    ("grpc.server.max_pending_requests", PENDING),
    ("grpc.server.max_pending_requests_hard_limit", MOST_PENDING),
)


@dataclass(frozen=True)
class Services:
    """The services of one server.

    `league`: for contestants, organisers and workers.
    `relay`: for workers that play with remote bots.
    `remotes`: for remote bots.
    """

    league: LeagueService
    relay: RelayService
    remotes: RemoteGateway


@asynccontextmanager
async def listening(
    services: Services,
    address: str,
    certificate: Certificate | None,
    socket: Path,
    limits: ServerLimits,
) -> AsyncIterator[int]:
    """Serves on the address and the socket while the context lasts; yields the port.

    On exit, open calls have a moment to finish, and remote bots are asked to reconnect. Raises
    ArenaError.
    """
    server = grpc.aio.server(
        options=OPTIONS,
        interceptors=[Admission(services.league.identify, limits)],
        maximum_concurrent_rpcs=_streams(limits),
    )
    add_LeagueServiceServicer_to_server(services.league, server)
    add_RelayServiceServicer_to_server(services.relay, server)
    services.remotes.add_to(server)
    healthy = await _healthy(server)
    try:
        port = _add_port(server, address, certificate)
        server.add_insecure_port(f"unix:{socket}")
    except RuntimeError as error:
        raise ArenaError(
            Kind.ARENA_FAILED, f"The server cannot listen on {address}: {error}.", "listen"
        ) from None
    await server.start()
    remotes = services.remotes
    guard = ConnectionGuard(port, CONNECTIONS // 2, remotes.heard, limits.remotes.proxies)
    guarding = asyncio.create_task(guard.run())
    try:
        yield port
    finally:
        guarding.cancel()
        await healthy.enter_graceful_shutdown()
        services.remotes.close()
        await server.stop(LEAVE_S)


async def _healthy(server: grpc.aio.Server) -> Any:
    """Adds the standard health service, which reports as serving until the server is stopped."""
    servicer = health.HealthServicer()
    for service in SERVICES:
        await servicer.set(service, HealthCheckResponse.SERVING)
    add_HealthServicer_to_server(servicer, server)
    return servicer


def _streams(limits: ServerLimits) -> int:
    """Returns the limit of concurrent streams, with room for all remote bots and workers, so that
    these cannot crowd others out. A bot that reconnects has two streams for a moment."""
    return STREAMS + CALLS + 2 * limits.remotes.bots


def _add_port(server: grpc.aio.Server, address: str, certificate: Certificate | None) -> int:
    if certificate is None:
        return server.add_insecure_port(address)

    def read() -> grpc.ServerCertificateConfiguration:
        pair = (certificate.key.read_bytes(), certificate.chain.read_bytes())
        return grpc.ssl_server_certificate_configuration([pair])

    def renewed() -> grpc.ServerCertificateConfiguration | None:
        return read() if certificate.was_renewed() else None  # asked at each handshake

    # Declared otherwise, but None stands for what is in use.
    credentials = grpc.dynamic_ssl_server_credentials(read(), renewed)  # type: ignore[arg-type]
    return server.add_secure_port(address, credentials)
