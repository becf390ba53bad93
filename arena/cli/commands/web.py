"""`arena web`: the pages of an arena, for browsers."""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.bots.remote import Networks
from arena.certificate import certificate_in
from arena.cli.log_format import LogFormat, LogFormatOption, log_to_stderr
from arena.cli.options import DEFAULT_DATA, PAGES_ADDRESS, DataOption
from arena.cli.output import stderr
from arena.client.address import host_and_port
from arena.errors import ArenaError, Exit, Kind
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.schema import LONGEST_LIVE_DELAY_S
from arena.web import DEFAULT_DELAY_S, LOCAL_PROXIES, Settings
from arena.web.http import PagesListener, listening_at, serve_pages

if TYPE_CHECKING:
    from arena.web.app import Site

CertificateOption = Annotated[
    Path | None, typer.Option(help="TLS certificate and its chain, in PEM format.")
]
KeyOption = Annotated[
    Path | None, typer.Option(help="Private key of the certificate, in PEM format.")
]
OriginOption = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="Public address of the pages behind a proxy: https://HOST[:PORT][/PATH].",
    ),
]
LiveDelayOption = Annotated[
    float,
    typer.Option(
        min=0.0,
        max=LONGEST_LIVE_DELAY_S,
        help="Delay, in seconds, before visitors see a live match, if its ladder sets none.",
    ),
]
ProxiesOption = Annotated[
    str,
    typer.Option(
        "--trusted-proxies",
        metavar="ADDRESS,…",
        help="Proxies, by address or network, that are believed which visitor they forward.",
    ),
]
GuestsOption = Annotated[
    bool,
    typer.Option("--guests", help="Let visitors without a token play at tables against bots."),
]


def web(
    listen: Annotated[
        str,
        typer.Option(metavar="HOST:PORT", help="Address to listen on; port 0 picks a free port."),
    ] = PAGES_ADDRESS,
    tls_cert: CertificateOption = None,
    tls_key: KeyOption = None,
    origin: OriginOption = "",
    trusted_proxies: ProxiesOption = LOCAL_PROXIES,
    live_delay: LiveDelayOption = DEFAULT_DELAY_S,
    guests: GuestsOption = False,
    log_format: LogFormatOption = LogFormat.TEXT,
    descriptor: Annotated[
        int | None, typer.Option(hidden=True, help="A socket that is already listening.")
    ] = None,
    settings: Annotated[
        str, typer.Option(hidden=True, help="Those of the arena, as JSON, instead of these.")
    ] = "",
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Show an arena in the browser.

    Only reads the data folder, so it may run next to an arena or without one. `arena serve` serves
    the same pages.

    Examples:
        arena web                           # at http://127.0.0.1:7778/
        arena web --listen 127.0.0.1:0      # at a free port
    """
    from arena.web.app import Site  # which `arena serve` would load for nothing

    log_to_stderr(logging.WARNING, log_format)
    origin = checked_origin(origin)
    networks(trusted_proxies)
    own = Settings(origin=origin, live_delay_s=live_delay, proxies=trusted_proxies, guests=guests)
    chosen = Settings.from_json(settings) if settings else own
    with closing(open_store(data, "read")) as store, _listening(listen, descriptor) as listener:
        pages = PagesListener(listener, certificate_in(tls_cert, tls_key))
        show_pages(Site(DataFolder(data), store, chosen), pages)
    return Exit.DONE


def show_pages(site: Site, pages: PagesListener) -> None:
    """Serves pages until a signal, and prints their address."""
    from arena.web.app import pages_app

    say = partial(stderr.print, f"Pages at {pages.address} (Ctrl-C stops)")
    serve_pages(pages_app(site), pages, site.settings.proxies, say)


def checked_origin(origin: str) -> str:
    """Returns an origin of pages, without the slash at its end. Raises ArenaError."""
    if origin and not re.fullmatch(r"https?://[^/?#\s]+(/[\w.~-]+)*/?", origin, re.ASCII):
        raise ArenaError(
            Kind.WRONG_INPUT,
            "An origin is http:// or https://, a host, and perhaps a path, such as"
            f" https://example.org/arena; not {origin!r}.",
            "origin",
        )
    return origin.rstrip("/")


def networks(proxies: str) -> Networks:
    """Reads addresses and networks, by commas. Raises ArenaError."""
    try:
        return [ip_network(one.strip()) for one in proxies.split(",") if one.strip()]
    except ValueError as error:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"Trusted proxies are addresses or networks, such as 10.0.0.7,fd00::/64: {error}.",
            "trusted_proxies",
        ) from None


@contextmanager
def _listening(listen: str, descriptor: int | None) -> Iterator[socket.socket]:
    if descriptor is not None:
        with socket.socket(fileno=descriptor) as listener:
            yield listener
        return
    host, port = host_and_port(listen, "listen")
    with listening_at(host, port, "listen") as listener:
        yield listener
