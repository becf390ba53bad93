"""`arena serve`: a server that accepts submissions and runs their ladders."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from arena.bots import private_folder
from arena.bots.process import BUILD_BOUNDS
from arena.bots.remote import RECONNECT_GRACE_S, RemoteBounds
from arena.bots.sandbox import Runtime
from arena.bots.stream import SOCKET
from arena.certificate import Certificate, certificate_in
from arena.cli.commands.keeping.prune import KeepLogsOption, KeepRecordsOption, retention_of
from arena.cli.commands.web import (
    CertificateOption,
    GuestsOption,
    KeyOption,
    LiveDelayOption,
    OriginOption,
    ProxiesOption,
    checked_origin,
    networks,
)
from arena.cli.log_format import VARIABLE, LogFormat, LogFormatOption, log_to_stderr
from arena.cli.options import (
    DEFAULT_DATA,
    PAGES_ADDRESS,
    WORKERS,
    DataOption,
    RedisOption,
    SandboxOption,
    chosen_sandbox,
    hint,
    runtimes_for_bots,
    say_who_works,
)
from arena.cli.output import stderr
from arena.client.address import SECURE, grpc_at, host_and_port, is_loopback
from arena.errors import ArenaError, Exit, Kind
from arena.hosting import BackupPlan, LeagueServer, Pages, Plan, host
from arena.server import Quotas, ServerLimits
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.store.tokens import all_tokens
from arena.web import DEFAULT_DELAY_S, LOCAL_PROXIES, Settings
from arena.web.http import PagesListener, listening_at

DEFAULTS = Quotas()


def serve(
    listen: Annotated[
        str,
        typer.Option(metavar="HOST:PORT", help="Address to listen on; port 0 picks a free port."),
    ] = "127.0.0.1:7777",
    tls_cert: CertificateOption = None,
    tls_key: KeyOption = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Number of worker processes to start.")
    ] = WORKERS,
    versions_a_day: Annotated[
        int, typer.Option(min=0, help="Versions that an owner may submit within 24 hours.")
    ] = DEFAULTS.versions_a_day,
    bots: Annotated[int, typer.Option(min=0, help="Bots that an owner may have.")] = DEFAULTS.bots,
    mebibytes: Annotated[
        int, typer.Option(min=0, help="Disk space for the bots of an owner, in MiB.")
    ] = DEFAULTS.mebibytes,
    memory_mb: Annotated[
        int, typer.Option(min=16, help="Highest memory limit that a bot.toml may set, in MiB.")
    ] = DEFAULTS.memory_mb,
    build_s: Annotated[
        float, typer.Option(min=1.0, help="Time limit for the build of a bot, in seconds.")
    ] = BUILD_BOUNDS.seconds,
    grace: Annotated[
        float,
        typer.Option(
            min=0.0, help="Time that a remote bot may be disconnected during a match, in seconds."
        ),
    ] = RECONNECT_GRACE_S,
    web: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT", help="Address of the pages for browsers; port 0 picks a free port."
        ),
    ] = PAGES_ADDRESS,
    no_web: Annotated[bool, typer.Option("--no-web", help="Serve no pages.")] = False,
    web_origin: OriginOption = "",
    grpc_origin: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Public address of the server for bots and workers behind a proxy:"
            " https://HOST[:PORT].",
        ),
    ] = "",
    trusted_proxies: ProxiesOption = LOCAL_PROXIES,
    live_delay: LiveDelayOption = DEFAULT_DELAY_S,
    guests: GuestsOption = False,
    backup: Annotated[
        str,
        typer.Option(metavar="EVERY", help="Make backups: 30m, 6h, 1d. Without it none are made."),
    ] = "",
    keep: Annotated[int, typer.Option(min=1, help="Number of backups to keep.")] = 7,
    backup_to: Annotated[
        Path | None,
        typer.Option(help="Folder of the backups. [default: `backups` in the data folder]"),
    ] = None,
    keep_records: KeepRecordsOption = "",
    keep_logs: KeepLogsOption = "",
    log_format: LogFormatOption = LogFormat.TEXT,
    redis: RedisOption = "",
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Accept submissions and play all ladders, until stopped.

    Examples:
        arena serve                         # on this machine only
        arena serve --listen 0.0.0.0:7777 --tls-cert cert.pem --tls-key key.pem
    """
    os.environ[VARIABLE] = log_format  # also for the processes that it starts
    log_to_stderr(logging.INFO, log_format)
    # SIGHUP asks servers to read their certificate again; this one does so at each connection.
    signal.signal(signal.SIGHUP, lambda number, frame: None)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs every table that it creates
    certificate = certificate_in(tls_cert, tls_key)
    _check_address(listen, certificate)
    box, runtimes = chosen_sandbox(sandbox, required=True), runtimes_for_bots()
    quotas = Quotas(versions_a_day, bots, mebibytes, memory_mb)
    remotes = RemoteBounds(grace_s=grace, proxies=networks(trusted_proxies))
    build = replace(BUILD_BOUNDS, seconds=build_s)
    web_origin = checked_origin(web_origin)
    behind = grpc_at(grpc_origin) if grpc_origin else ""
    settings = Settings(
        origin=web_origin,
        live_delay_s=live_delay,
        proxies=trusted_proxies,
        guests=guests,
        quotas=quotas,
    )
    backups = None
    if backup:
        backups = BackupPlan(_every_s(backup), keep, backup_to or DataFolder(data).backups)
    plan = Plan(
        only=None,
        until_over=False,
        workers=workers,
        sandbox=box,
        redis=redis,
        backups=backups,
        retention=retention_of(keep_records, keep_logs),
    )
    say_who_works(workers, data)
    with ExitStack() as stack:
        pages = None
        if not no_web:
            listener = stack.enter_context(listening_at(*host_and_port(web, "web"), "web"))
            pages = Pages(PagesListener(listener, certificate), data, settings)
        limits = ServerLimits(quotas=quotas, build=build, remotes=remotes)
        serve_arena(data, plan, runtimes, limits, pages, listen, certificate, behind)
    stderr.print("Stopped. Interrupted matches will be replayed the next time.")
    return Exit.DONE


def serve_arena(
    data: Path,
    plan: Plan,
    runtimes: Sequence[Runtime],
    limits: ServerLimits,
    pages: Pages | None,
    listen: str,
    certificate: Certificate | None = None,
    origin: str = "",
) -> None:
    """Hosts an arena with its server and its pages, until SIGTERM or Ctrl-C."""
    sockets = private_folder()

    def welcome(store: Store, port: int) -> None:
        scheme = SECURE if certificate else ""
        stderr.print(f"Serving at {scheme}{listen.rpartition(':')[0]}:{port}")
        if pages is not None:
            stderr.print(f"Pages at {pages.listener.address}")
        _ask_for_tokens(store, data)

    server = LeagueServer(
        folder=DataFolder(data),
        listen=listen,
        certificate=certificate,
        origin=origin,
        socket=sockets / SOCKET,
        sandbox=plan.sandbox,
        runtimes=runtimes,
        limits=limits,
        welcome=welcome,
        pages=pages,
    )
    try:
        # SIGTERM and Ctrl-C end this command.
        with suppress(KeyboardInterrupt):
            host(server.folder, plan, lambda store: None, server)
    finally:
        shutil.rmtree(sockets, ignore_errors=True)


def _ask_for_tokens(store: Store, data: Path) -> None:
    """Explains how to admit contestants, while there are no tokens."""
    with store.reading() as session:
        if not all_tokens(session):
            create = hint("arena token create --role owner --owner NAME", data)
            stderr.print(
                "There are no tokens yet. While the server runs, create one for each contestant:"
                f" {create}",
            )


def _every_s(every: str) -> float:
    """Returns the seconds between two backups. Raises ArenaError."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})([mhd])", every)
    if found is None:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"--backup is {every!r}; it is a number with m for minutes, h for hours or d for days,"
            " such as 6h.",
            "backup",
        )
    return float(found[1]) * {"m": 60, "h": 3600, "d": 86_400}[found[2]]


def _check_address(listen: str, certificate: Certificate | None) -> None:
    host, _ = host_and_port(listen, "listen")
    if certificate is None and not is_loopback(host):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{host} is reachable from other machines, and without TLS tokens would be readable in"
            " transit: pass --tls-cert and --tls-key, or listen on 127.0.0.1.",
            "listen",
        )
