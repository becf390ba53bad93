"""A server with a ladder, and bots to submit to it."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.bots import Host, Isolation
from arena.bots.remote import RemoteGateway
from arena.league.ladder.ladders import create_ladder, enter
from arena.match.timekeeper import Timekeeper
from arena.queue.signing_key import made_key
from arena.server.download import Downloads
from arena.server.file_work import FileWork
from arena.server.grpc_server import Services, listening
from arena.server.limits import SERVER_LIMITS, ServerLimits
from arena.server.remote.presence import PresenceRecorder
from arena.server.remote.registration import Registrations, TokenCheck
from arena.server.remote.relay import RelayService
from arena.server.service import LeagueService
from arena.server.submissions.submit import Submissions
from arena.server.submissions.trial import Trials
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from tests.support.asked import asked_arena
from tests.support.new_store import new_store
from tests.support.served import SAMPLES, Serve, Served
from tests.support.stored_matches import MATCH, add_bots, add_match


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataFolder:
    """A data folder with a relative path, which is the default of `arena serve`."""
    monkeypatch.chdir(tmp_path)
    return DataFolder(Path("data"))


@pytest.fixture
def store(data: DataFolder) -> Iterator[Store]:
    """A store with the ladders main and other, in Xeri."""
    store = new_store(data.path)
    made_key(data.queue_key)
    for name in ("main", "other"):
        create_ladder(store, name, "xeri", options={"deals": 1}, draw_probability=0.05)
    yield store
    store.close()


@pytest.fixture
def serve(store: Store, data: DataFolder) -> Serve:
    """Starts a server with limits."""

    @asynccontextmanager
    async def start(
        limits: ServerLimits = SERVER_LIMITS,
        isolation: Isolation = Isolation.NONE,
        only: Collection[str] | None = None,
    ) -> AsyncIterator[Served]:
        timekeeper = Timekeeper()
        keeping = asyncio.create_task(timekeeper.run())
        with (
            tempfile.TemporaryDirectory(prefix="serve-", dir="/tmp") as sockets,
            PresenceRecorder(store) as presence,
        ):
            socket = Path(sockets) / "arena.sock"
            async with Host(isolation) as bots:
                files = FileWork(limits)
                trials = Trials(bots, timekeeper, files, limits)
                admit = TokenCheck(store).admit
                gateway = RemoteGateway(admit, presence.changed, limits.remotes)
                services = Services(
                    LeagueService(
                        store,
                        data,
                        Submissions(store, data, files, trials, enter, limits),
                        Registrations(store, enter, limits.quotas, gateway),
                        Downloads(data, files, limits),
                    ),
                    RelayService(store, gateway, timekeeper),
                    gateway,
                )
                async with listening(services, "127.0.0.1:0", None, socket, limits) as port:
                    grpc = f"127.0.0.1:{port}"
                    announced = {"server": f"unix:{socket}", "grpc": grpc}
                    async with asked_arena(store, data, Path(sockets), only, **announced) as asked:
                        found = Served(asked, grpc, socket, gateway)
                        yield found
                        await found.close()
        keeping.cancel()

    return start


@pytest.fixture
async def server(serve: Serve) -> AsyncIterator[Served]:
    async with serve() as served:
        yield served


@pytest.fixture
def server_with_match(server: Served) -> Served:
    """A server on whose ladder main Ann's bot has played Bob's, and crashed."""
    with server.store.writing() as session:
        add_bots(session)
        add_match(session, MATCH, "main")
    return server


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The folder of a good bot."""
    return Path(shutil.copytree(SAMPLES / "random_bot", tmp_path / "bot"))
