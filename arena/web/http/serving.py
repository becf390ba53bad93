"""Serves the pages on a listening socket until the process is asked to stop."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import resource
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import uvicorn
from starlette.applications import Starlette

from arena.certificate import Certificate, renewing
from arena.errors import ArenaError, Kind
from arena.stopping import stop_on_signals
from arena.web.http.connection import BoundedConnection, WaitingRoom

BACKLOG = 128
STOP_WITHIN_S = 5.0
CLOSE_WITHIN_S = 2  # what is then still open is cut off
DATE_S = 1.0  # between two dates of answers
IDLE_S = 15  # a connection without a request
CONNECTIONS = 8_192  # open files that the process asks for; event streams are bounded far below


@dataclass(frozen=True)
class PagesListener:
    """A socket that listens for visitors, and the certificate for TLS if there is one."""

    socket: socket.socket
    certificate: Certificate | None = None

    @property
    def address(self) -> str:
        """The address of the home page, as a browser takes it."""
        host, port = self.socket.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if self.certificate else 'http'}://{shown}:{port}/"


@contextmanager
def listening_at(host: str, port: int, field: str) -> Iterator[socket.socket]:
    """Listens at an address for as long as the context lasts; at `::`, by IPv4 too. Raises
    ArenaError about `field`."""
    try:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        every = family == socket.AF_INET6 and address[0] == "::" and socket.has_dualstack_ipv6()
        listener = socket.create_server(
            address, family=family, backlog=BACKLOG, dualstack_ipv6=every
        )
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        advice = "stop what listens there, or take port 0 for a free one" if taken else "check it"
        raise ArenaError(
            Kind.UNREACHABLE,
            f"The pages cannot listen at {host}:{port} ({error.strerror or error}): {advice}.",
            field,
        ) from None
    with listener:
        # Accepted connections inherit it. Without it, the end of every answer waits 40 ms for the
        # visitor's kernel to acknowledge its beginning.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield listener


class _Server(uvicorn.Server):
    """Leaves signals to `arena.stopping`, and says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = asyncio.Event()

    def capture_signals(self) -> Any:
        return nullcontext()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def main_loop(self) -> None:
        """Ends as soon as it is to end, and updates the date of answers until then; uvicorn's own
        looks ten times a second."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), DATE_S)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Waits for visitors if there are any; uvicorn's own pauses in any case."""
        for server in self.servers:
            server.close()
        await asyncio.sleep(0)
        if self.server_state.connections:
            await super().shutdown(sockets)
            return
        for listener in sockets or ():
            listener.close()
        await self.lifespan.shutdown()

    def end(self) -> None:
        self.should_exit = True
        self._ending.set()


@asynccontextmanager
async def served(app: Any, listener: socket.socket) -> AsyncIterator[None]:
    """Serves an application on a listening socket, in this event loop, for as long as the context
    lasts."""
    ready = asyncio.Event()
    server = _Server(_config(app), ready.set)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await ready.wait()
        yield
    finally:
        server.end()
        await serving


def serve_pages(
    app: Starlette, listener: PagesListener, proxies: str, ready: Callable[[], None]
) -> None:
    """Serves until a signal. `proxies`: those that name the visitors whose requests they forward.
    `ready` is called once visitors are answered."""
    _make_room_for_connections()
    # Collections would look through all modules again and again, for 70 ms each.
    gc.collect()
    gc.freeze()
    asyncio.run(_serve(app, listener, proxies, ready))


def _open_files() -> int:
    """Returns how many files the process may have open, at most CONNECTIONS."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return CONNECTIONS if soft == resource.RLIM_INFINITY else min(CONNECTIONS, soft)


def _make_room_for_connections() -> None:
    """Raises the limit of open files, as far as the system lets it; by default it is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS if hard == resource.RLIM_INFINITY else min(CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def _serve(
    app: Starlette, listener: PagesListener, proxies: str, ready: Callable[[], None]
) -> None:
    config = _with_certificate(app, listener.certificate, forwarded_allow_ips=proxies)
    server = _Server(config, ready)

    def stop() -> None:
        app.state.streams.stop()
        server.end()

    stop_on_signals(stop, STOP_WITHIN_S)
    await server.serve(sockets=[listener.socket])


def _with_certificate(
    app: Starlette, certificate: Certificate | None, **options: Any
) -> uvicorn.Config:
    if certificate is None:
        return _config(app, **options)
    files = {"ssl_certfile": certificate.chain, "ssl_keyfile": certificate.key}
    config = _config(app, **files, **options)
    config.load()
    assert config.ssl is not None  # it has a certificate
    config.ssl.sni_callback = renewing(certificate, config.ssl)
    return config


def _is_failure(record: logging.LogRecord) -> bool:
    """Returns False for a request that was cut off as the pages ended."""
    failure = record.exc_info and record.exc_info[0]
    return not (failure and issubclass(failure, asyncio.CancelledError))


def _config(app: Any, **options: Any) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").addFilter(_is_failure)
    return uvicorn.Config(
        app,
        # Declared as a class, but only ever called to make a connection's protocol.
        http=partial(BoundedConnection, WaitingRoom(_open_files() // 2)),  # type: ignore[arg-type]
        log_config=None,
        log_level="error",  # not a line for whatever a stranger sends
        access_log=False,
        server_header=False,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=CLOSE_WITHIN_S,
        h11_max_incomplete_event_size=64 * 1024,
        ws="none",
        **options,
    )
