"""An arena, running or not: its calls, by their names in `LeagueService`."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import grpc

from arena.client.channel import (
    OPTIONS,
    Metadata,
    credentials_for,
    endpoint_of,
    failed_call,
    wait_until_ready,
)
from arena.client.data_folder import opened_to_change, opened_to_read
from arena.league import (
    LeagueComparisons,
    LeagueTables,
    LeagueTournaments,
    explain_rating,
    ladder_standings,
    obstacle,
)
from arena.server import LOCAL_CALLER, check_texts
from arena.server.handlers import LARGEST_PAGE, METHODS, Call, League, Method
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from sevens.league.v1.comparison_pb2 import (
    Comparison,
    ComparisonGroup,
    ListComparisonGroupsRequest,
    ListComparisonGroupsResponse,
    ListComparisonsRequest,
    ListComparisonsResponse,
)
from sevens.league.v1.ladder_pb2 import (
    Ladder,
    ListLaddersRequest,
    ListLaddersResponse,
    ReadLadderRequest,
    ReadLadderResponse,
)
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.tournament_pb2 import (
    ListTournamentsRequest,
    ListTournamentsResponse,
    Tournament,
)


class Arena(Protocol):
    """Whatever answers calls: a `RemoteArena` or a `LocalArena`."""

    def call(self, method: str, request: Any) -> Any:
        """Calls a method of `LeagueService`, and returns its response. Raises ArenaError."""


class RemoteArena:
    """The arena of a server."""

    def __init__(self, server: str, channel: grpc.Channel, metadata: Metadata) -> None:
        self._server = server
        self._stub = LeagueServiceStub(channel)
        self._metadata = metadata

    def call(self, method: str, request: Any) -> Any:
        """Calls a method of `LeagueService` with a request, or with an iterator of them for a
        streaming method, and returns its response. Raises ArenaError."""
        try:
            return getattr(self._stub, method)(request, metadata=self._metadata)
        except grpc.RpcError as error:
            raise failed_call(self._server, error) from None

    def stream(self, method: str, request: Any) -> Generator[Any]:
        """Calls a method of `LeagueService` that answers by a stream; yields its responses. Closing
        the iterator cancels the call. Raises ArenaError."""
        call = getattr(self._stub, method)(request, metadata=self._metadata)
        try:
            yield from call
        except grpc.RpcError as error:
            raise failed_call(self._server, error) from None
        finally:
            call.cancel()


class LocalArena:
    """The arena of a data folder, in the role of its organiser.

    Reads go to the store. Changes go to the server of the arena that runs on the folder; if none
    does, they are made here, and hold the folder meanwhile.
    """

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder

    def call(self, method: str, request: Any) -> Any:
        """Calls a method of `LeagueService`, and returns its response. Raises ArenaError."""
        row = METHODS[method]
        if not row.exclusive:
            with opened_to_read(self._folder.path) as store:
                return self._answer(row, store, request)
        if address := self._folder.server():
            with connected(address) as arena:
                return arena.call(method, request)
        with opened_to_change(self._folder) as store:
            return self._answer(row, store, request)

    def _answer(self, row: Method, store: Store, request: Any) -> Any:
        check_texts(request)
        return row.handler(Call(LOCAL_CALLER, store, self._folder, self._league()), request)

    def _league(self) -> League:
        holder = self._folder.holder()
        return League(
            ladder_standings,
            obstacle,
            explain_rating,
            is_run=lambda name: holder is not None and holder.runs(name),
            tournaments=LeagueTournaments(),
            comparisons=LeagueComparisons(),
            tables=LeagueTables(),
        )


@contextmanager
def connected(server: str, acting: str = "") -> Iterator[RemoteArena]:
    """Connects to a server for as long as the context lasts. Raises ArenaError.

    `acting`: the id of the token in whose bearer's name calls are made by the socket of a data
      folder; empty: in the organiser's, or by one's own token.
    """
    metadata = credentials_for(server, acting)
    with endpoint_of(server).open(OPTIONS) as channel:
        wait_until_ready(channel, server)
        yield RemoteArena(server, channel, metadata)


@contextmanager
def arena_at(server: str, data: Path) -> Iterator[Arena]:
    """Opens the arena of a server if one is named, else of a data folder. Raises ArenaError."""
    if server:
        with connected(server) as remote:
            yield remote
    else:
        yield LocalArena(DataFolder(data))


def all_ladders(arena: Arena) -> list[Ladder]:
    """Returns the ladders of all pages."""
    request = ListLaddersRequest(limit=LARGEST_PAGE)
    page: ListLaddersResponse = arena.call("ListLadders", request)
    found = list(page.ladders)
    while page.next:
        request.after = page.next
        page = arena.call("ListLadders", request)
        found += page.ladders
    return found


def all_tournaments(arena: Arena) -> list[Tournament]:
    """Returns the tournaments of all pages."""
    request = ListTournamentsRequest(limit=LARGEST_PAGE)
    page: ListTournamentsResponse = arena.call("ListTournaments", request)
    found = list(page.tournaments)
    while page.next:
        request.after = page.next
        page = arena.call("ListTournaments", request)
        found += page.tournaments
    return found


def all_comparisons(arena: Arena) -> list[Comparison]:
    """Returns the comparisons of all pages."""
    request = ListComparisonsRequest(limit=LARGEST_PAGE)
    page: ListComparisonsResponse = arena.call("ListComparisons", request)
    found = list(page.comparisons)
    while page.next:
        request.after = page.next
        page = arena.call("ListComparisons", request)
        found += page.comparisons
    return found


def counted_groups(arena: Arena, comparison: str) -> list[ComparisonGroup]:
    """Returns the groups of a comparison that count, of all pages."""
    request = ListComparisonGroupsRequest(comparison=comparison, limit=LARGEST_PAGE)
    page: ListComparisonGroupsResponse = arena.call("ListComparisonGroups", request)
    found = list(page.groups)
    while page.next:
        request.after = page.next
        page = arena.call("ListComparisonGroups", request)
        found += page.groups
    return found


def whole_ladder(arena: Arena, name: str) -> ReadLadderResponse:
    """Returns a ladder with the standings of all pages."""
    request = ReadLadderRequest(ladder=name, limit=LARGEST_PAGE)
    whole: ReadLadderResponse = arena.call("ReadLadder", request)
    while whole.next:
        request.after = whole.next
        page: ReadLadderResponse = arena.call("ReadLadder", request)
        whole.standings.extend(page.standings)
        whole.next = page.next
    return whole
