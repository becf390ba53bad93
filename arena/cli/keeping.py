"""The bots of an arena and their faults: of one that runs, by its server; of one that does not, in
its data folder, whose user is its organiser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from arena.cli.reading import reading
from arena.client.channel import Server, calling
from arena.client.data_folder import changing
from arena.client.errors import CommandError
from arena.server.auth import LOCAL_CALLER
from arena.server.errors import Refusal
from arena.server.handlers.bots import delete, listed, retire
from arena.server.handlers.matches import faults_asked_for
from arena.server.messages import version_message
from arena.store.data_folder import DataFolder
from arena.store.faults import readmit
from arena.store.session import Store
from sevens.league.v1.match_pb2 import Fault, ListFaultsRequest
from sevens.league.v1.version_pb2 import (
    DeleteBotRequest,
    ListVersionsRequest,
    ReadmitVersionRequest,
    RetireVersionRequest,
    Version,
)

T = TypeVar("T")


class Bots(Protocol):
    """The bots of an arena."""

    def versions(self, request: ListVersionsRequest) -> Sequence[Version]:
        """Versions, by bot and number."""

    def faults(self, request: ListFaultsRequest) -> Sequence[Fault]:
        """Faults, the latest first."""

    def retire(self, bot: str, number: int) -> Version:
        """Takes a version off all ladders."""

    def readmit(self, bot: str, number: int, ladder: str) -> Version:
        """Lets a suspended version play again."""

    def delete(self, bot: str) -> int:
        """Deletes a bot for good; returns how many versions it had."""


class ServedBots:
    """The bots of an arena that runs."""

    def __init__(self, call: Server) -> None:
        self._call = call

    def versions(self, request: ListVersionsRequest) -> Sequence[Version]:
        found: Sequence[Version] = self._call("ListVersions", request).versions
        return found

    def faults(self, request: ListFaultsRequest) -> Sequence[Fault]:
        found: Sequence[Fault] = self._call("ListFaults", request).faults
        return found

    def retire(self, bot: str, number: int) -> Version:
        request = RetireVersionRequest(bot=bot, number=number)
        version: Version = self._call("RetireVersion", request).version
        return version

    def readmit(self, bot: str, number: int, ladder: str) -> Version:
        request = ReadmitVersionRequest(bot=bot, number=number, ladder=ladder)
        version: Version = self._call("ReadmitVersion", request).version
        return version

    def delete(self, bot: str) -> int:
        count: int = self._call("DeleteBot", DeleteBotRequest(bot=bot)).versions
        return count


class KeptBots:
    """The bots of an arena that does not run."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder

    def versions(self, request: ListVersionsRequest) -> Sequence[Version]:
        with reading(self._folder.path, "bot") as session:
            found = listed(session, request.bot, request.owner)
            return [version_message(session, version) for version in found]

    def faults(self, request: ListFaultsRequest) -> Sequence[Fault]:
        with reading(self._folder.path, "bot") as session:
            return faults_asked_for(session, request).faults

    def retire(self, bot: str, number: int) -> Version:
        def work(store: Store) -> Version:
            with store.writing() as session:
                return version_message(session, retire(session, LOCAL_CALLER, bot, number))

        return self._change(work)

    def readmit(self, bot: str, number: int, ladder: str) -> Version:
        def work(store: Store) -> Version:
            with store.writing() as session:
                return version_message(session, readmit(session, ladder, bot, number))

        return self._change(work)

    def delete(self, bot: str) -> int:
        return self._change(lambda store: delete(store, self._folder, LOCAL_CALLER, bot))

    def _change(self, work: Callable[[Store], T]) -> T:
        with changing(self._folder, "bot") as store:
            try:
                return work(store)
            except Refusal as refusal:
                raise CommandError(str(refusal), refusal.field) from None


@contextmanager
def bots_of(server: str, data: Path) -> Iterator[Bots]:
    """The bots of a server, or of a data folder, whether an arena runs on it or not."""
    folder = DataFolder(data)
    if address := server or folder.server():
        with calling(address) as call:
            yield ServedBots(call)
    else:
        yield KeptBots(folder)
