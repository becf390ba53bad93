"""Calls to a server, from commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import grpc
import grpc.aio
import typer

from arena.bots.stream.gateway import TRANSPORT_LIMIT_BYTES
from arena.cli.addresses import SECURE, host_and_port, is_loopback
from arena.client.errors import CommandError, Exit
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub

SERVER = "ARENA_SERVER"


def _unless_data_is_typed(context: typer.Context, server: str) -> str:
    """What is typed counts more than the environment: a `--data` on the command line turns
    ARENA_SERVER off. (What is typed is read first.)"""
    sources = {one: context.get_parameter_source(one) for one in ("server", "data")}
    names = {one: source.name for one, source in sources.items() if source is not None}
    return "" if names == {"server": "ENVIRONMENT", "data": "COMMANDLINE"} else server


ServerOption = Annotated[
    str,
    typer.Option(
        "--server",
        envvar=SERVER,
        callback=_unless_data_is_typed,
        help="The server, HOST:PORT; https:// demands TLS.",
    ),
]
TOKEN = "ARENA_USER_TOKEN"
FIELD = "sevens-field"
LOCAL = "unix:"
Options: TypeAlias = tuple[tuple[str, int], ...]
CONNECT_S = 10.0
MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024  # the longest match, with all notes
# While a bot is tried the server says nothing for minutes.
OPTIONS: Options = (
    ("grpc.keepalive_time_ms", 300_000),
    ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
)
# That a server is gone is noticed while the referee waits, before it takes a remote bot to be late.
WORKER_OPTIONS: Options = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # of pings that measure a transfer, too
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", TRANSPORT_LIMIT_BYTES),
)
NEARBY: Options = (("grpc.enable_http_proxy", 0),)
REFUSED = {
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.UNAVAILABLE,
}
FAILED = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS}


class Server:
    """A server's calls, by their names in `LeagueService`."""

    def __init__(self, channel: grpc.Channel, token: str) -> None:
        self._stub = LeagueServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def __call__(self, name: str, request: Any) -> Any:
        """The answer to a request, or to an iterator of them. Raises grpc.RpcError."""
        return getattr(self._stub, name)(request, metadata=self._metadata)


@contextmanager
def calling(server: str) -> Iterator[Server]:
    """The calls of a server, as long as the context lasts. One that fails ends the command."""
    token = "" if server.startswith(LOCAL) else user_token()
    with endpoint_of(server).open(OPTIONS) as channel:
        _connect(channel, server)
        try:
            yield Server(channel, token)
        except grpc.RpcError as error:
            raise _failure(server, error) from None


@dataclass(frozen=True)
class Endpoint:
    """How a server is reached. `options`: of the channel, beside those of the caller."""

    target: str
    secure: bool
    options: Options

    def open(self, options: Options) -> grpc.Channel:
        """A channel to the server."""
        if self.secure:
            credentials = grpc.ssl_channel_credentials()
            return grpc.secure_channel(self.target, credentials, options + self.options)
        return grpc.insecure_channel(self.target, options + self.options)

    def open_async(self, options: Options) -> grpc.aio.Channel:
        """A channel to the server, for coroutines."""
        if self.secure:
            credentials = grpc.ssl_channel_credentials()
            return grpc.aio.secure_channel(self.target, credentials, options + self.options)
        return grpc.aio.insecure_channel(self.target, options + self.options)


def endpoint_of(server: str) -> Endpoint:
    """Without TLS a token goes nowhere but to this machine."""
    if server.startswith(LOCAL):
        return Endpoint(server, False, ())
    address = server.removeprefix(SECURE)
    host, _ = host_and_port(address, "server")
    nearby = is_loopback(host)
    secure = server.startswith(SECURE) or not nearby
    return Endpoint(address, secure, NEARBY if nearby else ())


def user_token() -> str:
    """The token with which to call."""
    token = os.environ.get(TOKEN, "")
    if not token:
        raise CommandError(
            f"The server wants to know who you are: put your token into {TOKEN}. Where its data"
            " folder is, with --data DIR you need none.",
            "token",
            Exit.UNREACHABLE,
        )
    return token


def _connect(channel: grpc.Channel, server: str) -> None:
    try:
        grpc.channel_ready_future(channel).result(CONNECT_S)
    except grpc.FutureTimeoutError:
        raise CommandError(
            f"No arena answers at {server}. Does `arena serve` run there, is the address right, and"
            " is its certificate known here (GRPC_DEFAULT_SSL_ROOTS_FILE_PATH)?",
            "server",
            Exit.UNREACHABLE,
        ) from None


def _failure(server: str, error: Any) -> CommandError:
    """What a failed call is to the user. The error is the call itself, and gRPC has no type for
    that."""
    code, details = error.code(), error.details() or error.code().name
    fields = [value for key, value in error.trailing_metadata() or () if key == FIELD]
    if not fields:
        return _cut_off(server, code, details)
    exit_code = Exit.WRONG_INPUT
    if code in REFUSED:
        exit_code = Exit.UNREACHABLE
    elif code in FAILED:
        exit_code = Exit.ARENA_FAILED
    return CommandError(details, fields[0], exit_code)


def _cut_off(server: str, code: grpc.StatusCode, details: str) -> CommandError:
    """What it is to the user that a call ended without a word of the server's own."""
    if code is grpc.StatusCode.UNAVAILABLE:
        sentence = f"The server at {server} has gone; try again in a while."
        return CommandError(sentence, "", Exit.UNREACHABLE)
    if code is grpc.StatusCode.UNIMPLEMENTED:
        sentence = f"The server at {server} does not know this: it is another version of the arena."
        return CommandError(sentence, "server", Exit.UNREACHABLE)
    return CommandError(
        f"The call to {server} was cut off before its end ({details}): what was sent may be more"
        " than the server takes, or the connection failed. Try again.",
        "",
        Exit.UNREACHABLE,
    )
