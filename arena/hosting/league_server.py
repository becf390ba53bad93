"""The league's server, put together: submissions, remote bots, and readers of the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bots import Host, Isolation
from arena.bots.remote import RemoteGateway
from arena.bots.sandbox import Runtime, python_packages
from arena.bots.source import PythonBuild
from arena.certificate import Certificate
from arena.client.address import SECURE
from arena.hosting.door import DOOR, door
from arena.hosting.pages import Pages
from arena.hosting.telemetry import Telemetry
from arena.league import (
    enter,
)
from arena.match import Timekeeper
from arena.server import (
    Downloads,
    FileWork,
    LeagueService,
    ServerLimits,
    Services,
    listening,
)
from arena.server.remote import PresenceRecorder, Registrations, RelayService, TokenCheck
from arena.server.submissions import Submissions, Trials, sweep
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.views.arena import Software

EVERYWHERE = ("0.0.0.0", "[::]")


@dataclass
class LeagueServer:
    """The server that runs alongside the ladders, as `host` takes it.

    `listen`: the HOST:PORT to listen on; port 0 picks a free one.
    `certificate`: for TLS; None: without.
    `origin`: its address by gRPC for those who reach it through a proxy; empty: none.
    `socket`: a Unix socket for processes with access to the data folder, by gRPC. Next to it is the
      socket of the door, by HTTP.
    `sandbox`, `runtimes`: the isolation of bots that are tried, and the runtimes they find there.
    `limits`: how much contestants may send, build and keep connected.
    `pages`: the pages that are served along with it; None: none are.
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
    origin: str = ""
    gateway: RemoteGateway | None = None
    port: int = 0

    @property
    def address(self) -> str:
        return f"unix:{self.socket}"

    @property
    def announced(self) -> dict[str, Any]:
        return {
            "server": self.address,
            "door": f"unix:{self._door}",
            "pages": self.pages.reached_at if self.pages is not None else "",
            "grpc": self._listening_at(),
            "software": _software(self.runtimes).model_dump(),
        }

    @property
    def _door(self) -> Path:
        return self.socket.with_name(DOOR)

    def _listening_at(self) -> str:
        """Returns where strangers reach it; empty until it listens. Without a host if it listens at
        all of the machine's addresses."""
        if not self.port:
            return ""
        if self.origin:
            return self.origin
        host = self.listen.rpartition(":")[0]
        host = "" if host in EVERYWHERE else host
        return f"{SECURE if self.certificate is not None else ''}{host}:{self.port}"

    def room(self, bot: str, game: str) -> int:
        return self.gateway.room(bot, game) if self.gateway is not None else 0

    async def run(self, store: Store, announce: Callable[[], None], telemetry: Telemetry) -> None:
        """Serves until cancelled. Raises ArenaError."""
        files = FileWork(self.limits)
        sweep(self.folder, files)
        with PresenceRecorder(store) as presence:
            admit = TokenCheck(store).admit
            self.gateway = RemoteGateway(admit, presence.changed, self.limits.remotes)
            await self._serve(store, self.gateway, files, announce, telemetry)

    async def _serve(
        self,
        store: Store,
        gateway: RemoteGateway,
        files: FileWork,
        announce: Callable[[], None],
        telemetry: Telemetry,
    ) -> None:
        timekeeper = Timekeeper()
        keeping = asyncio.create_task(timekeeper.run())
        try:
            async with Host(self.sandbox, runtimes=self.runtimes) as bots:
                trials = Trials(bots, timekeeper, files, self.limits, telemetry.metrics.built)
                service = LeagueService(
                    store,
                    self.folder,
                    Submissions(store, self.folder, files, trials, enter, self.limits),
                    Registrations(store, enter, self.limits.quotas, gateway),
                    Downloads(self.folder, files, self.limits),
                )
                relay = RelayService(store, gateway, timekeeper)
                services = Services(service, relay, gateway)
                await self._listen(store, services, announce, telemetry)
        finally:
            keeping.cancel()

    async def _listen(
        self,
        store: Store,
        services: Services,
        announce: Callable[[], None],
        telemetry: Telemetry,
    ) -> None:
        at = (self.listen, self.certificate, self.socket, self.limits)
        async with (
            listening(services, *at) as self.port,
            door(self.folder, store, self._door, telemetry.routes),
        ):
            announce()
            self.welcome(store, self.port)
            await (self.pages.run() if self.pages is not None else asyncio.Event().wait())


def _software(runtimes: Sequence[Runtime]) -> Software:
    python = PythonBuild.of_bots()
    return Software(
        python=python.version,
        build=python.tag,
        packages=python_packages(),
        runtimes=tuple(runtime.name for runtime in runtimes),
    )
