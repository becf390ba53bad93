"""`arena serve`: a server to which strangers submit bots, and the ladders that they play on."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from arena.bots.host import Host
from arena.bots.process.build import BUILD_BOUNDS
from arena.bots.process.launch import Isolation
from arena.bots.remote.bot import RECONNECT_GRACE_S
from arena.bots.remote.gateway import RemoteBounds, RemoteGateway
from arena.bots.sandbox.runtimes import Runtime
from arena.bots.sockets import private_folder
from arena.bots.stream.gateway import SOCKET
from arena.cli.hosting import Plan, host
from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import stderr
from arena.cli.sandboxing import SandboxOption, chosen_runtimes, chosen_sandbox
from arena.client.channel import SECURE, host_and_port, is_loopback
from arena.client.errors import CommandError, Exit
from arena.league.ladders import enter, obstacle
from arena.league.standings import standings
from arena.match.timekeeper import Timekeeper
from arena.server.download import Downloads
from arena.server.grpc_server import CannotListen, Certificate, Services, listening
from arena.server.handlers.call import League
from arena.server.limits import Quotas, ServerLimits
from arena.server.remote.presence import PresenceRecorder
from arena.server.remote.registration import Registrations, TokenCheck
from arena.server.remote.relay import RelayService
from arena.server.service import LeagueService
from arena.server.submissions.staging import sweep
from arena.server.submissions.submit import Submissions
from arena.server.submissions.trial import Trials
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.store.tokens import tokens

DEFAULTS = Quotas()


@dataclass
class LeagueServer:
    """The server, as it runs beside the ladders. `socket`: for whoever may enter the folder."""

    folder: DataFolder
    listen: str
    certificate: Certificate | None
    socket: Path
    sandbox: Isolation
    runtimes: Sequence[Runtime]
    limits: ServerLimits
    gateway: RemoteGateway | None = None

    @property
    def address(self) -> str:
        return f"unix:{self.socket}"

    def room(self, bot: str, game: str) -> int:
        return self.gateway.room(bot, game) if self.gateway is not None else 0

    async def run(self, store: Store) -> None:
        sweep(self.folder)
        with PresenceRecorder(store) as presence:
            admit = TokenCheck(store).admit
            self.gateway = RemoteGateway(admit, presence.changed, self.limits.remotes)
            await self._serve(store, self.gateway)

    async def _serve(self, store: Store, gateway: RemoteGateway) -> None:
        timekeeper = Timekeeper()
        keeping = asyncio.create_task(timekeeper.run())
        try:
            async with Host(self.sandbox, runtimes=self.runtimes) as bots:
                trials = Trials(bots, timekeeper, self.limits)
                service = LeagueService(
                    store,
                    self.folder,
                    League(standings, obstacle, is_run=lambda name: True),
                    Submissions(store, self.folder, trials, enter, self.limits),
                    Registrations(store, enter, self.limits.quotas, gateway),
                    Downloads(self.folder, self.limits),
                )
                relay = RelayService(store, gateway, timekeeper)
                await self._listen(store, Services(service, relay, gateway))
        finally:
            keeping.cancel()

    async def _listen(self, store: Store, services: Services) -> None:
        at = (self.listen, self.certificate, self.socket, self.limits)
        try:
            async with listening(services, *at) as port:
                self._welcome(store, port)
                await asyncio.Event().wait()
        except CannotListen as error:
            raise CommandError(str(error), "listen", Exit.ARENA_FAILED) from None

    def _welcome(self, store: Store, port: int) -> None:
        at = f"{self.listen.rpartition(':')[0]}:{port}"
        stderr.print(f"Serving at {SECURE if self.certificate else ''}{at}", markup=False)
        with store.reading() as session:
            if not tokens(session):
                stderr.print(
                    "There are no tokens yet; beside this, create one for each contestant: arena"
                    f" token create --role owner --owner NAME --data {self.folder.path}",
                    markup=False,
                )


def serve(
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where to listen; port 0: any.")
    ] = "127.0.0.1:7777",
    tls_cert: Annotated[
        Path | None, typer.Option(help="The certificate and its chain, in PEM.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The certificate's key, in PEM.")] = None,
    workers: Annotated[int, typer.Option(min=0, help="Worker processes.")] = os.cpu_count() or 1,
    versions_a_day: Annotated[
        int, typer.Option(min=0, help="Versions that an owner may submit in 24 hours.")
    ] = DEFAULTS.versions_a_day,
    bots: Annotated[int, typer.Option(min=0, help="Bots that an owner may have.")] = DEFAULTS.bots,
    mebibytes: Annotated[
        int, typer.Option(min=0, help="What an owner's bots may take up, in MiB.")
    ] = DEFAULTS.mebibytes,
    memory_mb: Annotated[
        int, typer.Option(min=16, help="The most memory that a bot.toml may ask for, in MiB.")
    ] = DEFAULTS.memory_mb,
    build_s: Annotated[
        float, typer.Option(min=1.0, help="How long a bot's build may take, in s.")
    ] = BUILD_BOUNDS.seconds,
    grace: Annotated[
        float, typer.Option(min=0.0, help="How long a remote bot may be away in a match, in s.")
    ] = RECONNECT_GRACE_S,
    redis: Annotated[str, typer.Option(help="Use this Redis, not the embedded Valkey.")] = "",
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Serves until stopped: takes submissions, and plays all ladders with workers of its own."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells of each table it makes
    certificate = _certificate(tls_cert, tls_key)
    _check_address(listen, certificate)
    box, runtimes = chosen_sandbox(sandbox, required=True), chosen_runtimes(data)
    quotas = Quotas(versions_a_day, bots, mebibytes, memory_mb)
    folder, sockets = DataFolder(data), private_folder()
    build, remotes = replace(BUILD_BOUNDS, seconds=build_s), RemoteBounds(grace_s=grace)
    limits = ServerLimits(quotas=quotas, build=build, remotes=remotes)
    server = LeagueServer(folder, listen, certificate, sockets / SOCKET, box, runtimes, limits)
    plan = Plan(ladders=None, matches=None, workers=workers, sandbox=box, redis=redis)
    try:
        # To be stopped, by SIGTERM or Ctrl-C, is how it ends.
        with suppress(asyncio.CancelledError, KeyboardInterrupt):
            host(folder, plan, lambda store: None, server)
    finally:
        shutil.rmtree(sockets, ignore_errors=True)
    stderr.print("Stopped. What was in play is played again the next time.")
    return Exit.DONE


def _certificate(chain: Path | None, key: Path | None) -> Certificate | None:
    if chain is None and key is None:
        return None
    if chain is None or key is None:
        raise CommandError("TLS takes both --tls-cert and --tls-key.", "tls_cert")
    try:
        return Certificate(chain.read_bytes(), key.read_bytes())
    except OSError as error:
        raise CommandError(f"TLS is not possible: {error}.", "tls_cert") from None


def _check_address(listen: str, certificate: Certificate | None) -> None:
    host, _ = host_and_port(listen, "listen")
    if certificate is None and not is_loopback(host):
        raise CommandError(
            f"{host} can be reached by others, who would read the tokens on their way: give a"
            " certificate with --tls-cert and --tls-key, or listen on 127.0.0.1.",
            "listen",
        )
