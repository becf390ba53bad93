"""The league's server, put together: submissions, remote bots, and readers of the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bots import Host, Isolation
from arena.bots.remote import RemoteGateway
from arena.bots.sandbox import Runtime
from arena.hosting.pages import Pages
from arena.league import (
    LeagueComparisons,
    LeagueTables,
    LeagueTournaments,
    enter,
    explain_rating,
    ladder_standings,
    obstacle,
)
from arena.match import Timekeeper
from arena.server import (
    Certificate,
    Downloads,
    FileWork,
    LeagueService,
    ServerLimits,
    Services,
    listening,
)
from arena.server.handlers import League
from arena.server.remote import PresenceRecorder, Registrations, RelayService, TokenCheck
from arena.server.submissions import Submissions, Trials, sweep
from arena.store.data_folder import DataFolder
from arena.store.session import Store


@dataclass
class LeagueServer:
    """The server that runs alongside the ladders, as `host` takes it.

    `listen`: the HOST:PORT to listen on; port 0 picks a free one.
    `certificate`: for TLS; None: without.
    `socket`: a Unix socket for processes with access to the data folder.
    `sandbox`, `runtimes`: the isolation of bots that are tried, and the runtimes they find there.
    `limits`: how much contestants may send, build and keep connected.
    `pages`: the pages that run beside it; None: none do.
    `welcome`: called with the store and the port as soon as the server listens.
    """

    folder: DataFolder
    listen: str
    certificate: Certificate | None
    socket: Path
    sandbox: Isolation
    runtimes: Sequence[Runtime]
    limits: ServerLimits
    welcome: Callable[[Store, int], None]
    pages: Pages | None = None
    gateway: RemoteGateway | None = None

    @property
    def address(self) -> str:
        return f"unix:{self.socket}"

    @property
    def pages_origin(self) -> str:
        return self.pages.reached_at if self.pages is not None else ""

    def room(self, bot: str, game: str) -> int:
        return self.gateway.room(bot, game) if self.gateway is not None else 0

    async def run(self, store: Store) -> None:
        """Serves until cancelled. Raises ArenaError."""
        files = FileWork(self.limits)
        sweep(self.folder, files)
        with PresenceRecorder(store) as presence:
            admit = TokenCheck(store).admit
            self.gateway = RemoteGateway(admit, presence.changed, self.limits.remotes)
            await self._serve(store, self.gateway, files)

    async def _serve(self, store: Store, gateway: RemoteGateway, files: FileWork) -> None:
        timekeeper = Timekeeper()
        keeping = asyncio.create_task(timekeeper.run())
        try:
            async with Host(self.sandbox, runtimes=self.runtimes) as bots:
                trials = Trials(bots, timekeeper, files, self.limits)
                service = LeagueService(
                    store,
                    self.folder,
                    League(
                        ladder_standings,
                        obstacle,
                        explain_rating,
                        is_run=lambda name: True,
                        tournaments=LeagueTournaments(),
                        comparisons=LeagueComparisons(),
                        tables=LeagueTables(),
                    ),
                    Submissions(store, self.folder, files, trials, enter, self.limits),
                    Registrations(store, enter, self.limits.quotas, gateway),
                    Downloads(self.folder, files, self.limits),
                )
                relay = RelayService(store, gateway, timekeeper)
                await self._listen(store, Services(service, relay, gateway))
        finally:
            keeping.cancel()

    async def _listen(self, store: Store, services: Services) -> None:
        at = (self.listen, self.certificate, self.socket, self.limits)
        async with listening(services, *at) as port:
            self.welcome(store, port)
            await (self.pages.run() if self.pages is not None else asyncio.Event().wait())
