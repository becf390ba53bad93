"""Channels to a server: its address, TLS, the caller's token, and failures as sentences."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc
import grpc.aio

from arena.bots.stream import TRANSPORT_LIMIT_BYTES
from arena.client.address import LOCAL, SECURE, host_and_port, is_loopback
from arena.client.reachability import PATIENCE_S, Trouble, trouble_with
from arena.client.user_token import no_own_token, own_token
from arena.errors import ArenaError, Kind, kind_of_status
from arena.operations.acting import ACTING

FIELD = "sevens-field"
Options: TypeAlias = tuple[tuple[str, int], ...]
Metadata: TypeAlias = tuple[tuple[str, str], ...]
FIRST_LOOK_S = 0.5
MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024  # the longest match, with all notes
# The server is silent for minutes while a bot is on trial.
OPTIONS: Options = (
    ("grpc.keepalive_time_ms", 300_000),
    ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
)
# Detects a lost server while the referee waits, before a remote bot would be charged for the delay.
WORKER_OPTIONS: Options = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # also of pings that measure a transfer
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", TRANSPORT_LIMIT_BYTES),
)
LOOPBACK_OPTIONS: Options = (("grpc.enable_http_proxy", 0),)


@dataclass(frozen=True)
class Endpoint:
    """The way to reach a server.

    `target`: its address, as gRPC takes it.
    `secure`: whether to use TLS.
    `options`: of the channel, in addition to those of the caller.
    """

    target: str
    secure: bool
    options: Options

    def open(self, options: Options) -> grpc.Channel:
        """Opens a channel to the server."""
        if self.secure:
            credentials = grpc.ssl_channel_credentials()
            return grpc.secure_channel(self.target, credentials, options + self.options)
        return grpc.insecure_channel(self.target, options + self.options)

    def open_async(self, options: Options) -> grpc.aio.Channel:
        """Opens a channel to the server for coroutines."""
        if self.secure:
            credentials = grpc.ssl_channel_credentials()
            return grpc.aio.secure_channel(self.target, credentials, options + self.options)
        return grpc.aio.insecure_channel(self.target, options + self.options)


def endpoint_of(server: str) -> Endpoint:
    """Returns the endpoint of a server. Without TLS a token is sent only within this machine."""
    if server.startswith(LOCAL):
        return Endpoint(server, False, ())
    address = server.removeprefix(SECURE)
    host, _ = host_and_port(address, "server")
    loopback = is_loopback(host)
    secure = server.startswith(SECURE) or not loopback
    return Endpoint(address, secure, LOOPBACK_OPTIONS if loopback else ())


def credentials_for(server: str, acting: str = "") -> Metadata:
    """Returns the metadata that identifies the caller: their token, unless the server is reached
    by the socket of a data folder; there it is `acting`, the id of a token, if given. Raises
    ArenaError."""
    if server.startswith(LOCAL):
        return ((ACTING, acting),) if acting else ()
    token = own_token()
    if not token:
        raise no_own_token()
    return (("authorization", f"Bearer {token}"),)


def wait_until_ready(channel: grpc.Channel, server: str) -> None:
    """Raises ArenaError if no server answers: soon where waiting cannot help."""
    ready = grpc.channel_ready_future(channel)
    began = time.monotonic()
    while True:
        try:
            return ready.result(FIRST_LOOK_S)
        except grpc.FutureTimeoutError:
            trouble_at(server).check(time.monotonic() - began)


def trouble_at(server: str) -> Trouble:
    """Returns why gRPC has not reached a server yet."""
    if server.startswith(LOCAL) or _by_proxy(server):
        return Trouble(f"No arena answers at {server}; try again later.", PATIENCE_S)
    host, port = host_and_port(server.removeprefix(SECURE), "server")
    return trouble_with(host, port, secure=endpoint_of(server).secure)


def _by_proxy(server: str) -> bool:
    """Returns whether gRPC reaches the server through a proxy, unlike a connection of our own."""
    proxies = ("grpc_proxy", "https_proxy", "http_proxy")
    return any(map(os.environ.get, proxies)) and not endpoint_of(server).options


def failed_call(server: str, error: Any) -> ArenaError:
    """Explains a failed call. The error is the call itself, for which gRPC has no type."""
    code, details = error.code(), error.details() or error.code().name
    fields = [value for key, value in error.trailing_metadata() or () if key == FIELD]
    if not fields:
        return _cut_off(server, code, details)
    return ArenaError(kind_of_status(code.name), details, fields[0])


def _cut_off(server: str, code: grpc.StatusCode, details: str) -> ArenaError:
    """Explains a call that ended without an answer from the server itself."""
    if code is grpc.StatusCode.UNAVAILABLE:
        sentence = f"The server at {server} is no longer reachable; try again later."
        return ArenaError(Kind.UNREACHABLE, sentence, "server")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        sentence = f"The server at {server} does not know this call: it runs another version."
        return ArenaError(Kind.UNREACHABLE, sentence, "server")
    return ArenaError(
        Kind.UNREACHABLE,
        f"The call to {server} was cut off ({details}): either it sent more than the server"
        " accepts, or the connection failed. Try again.",
        "server",
    )
