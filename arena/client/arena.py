"""The ladders and matches of an arena, as its readers see them: on a server, or in a data folder,
whether an arena runs on it or not. The answers are the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy.orm import Session

from arena.cli.reading import reading
from arena.client.channel import Server, calling
from arena.client.errors import CommandError
from arena.league.ladders import obstacle
from arena.league.standings import standings
from arena.server.errors import Refusal
from arena.server.handlers.ladders import Ladders
from arena.server.handlers.matches import MOST_ON_A_PAGE, matches_asked_for
from arena.store.data_folder import DataFolder
from sevens.league.v1.ladder_pb2 import (
    Ladder,
    ListLaddersRequest,
    ListLaddersResponse,
    ReadLadderRequest,
    ReadLadderResponse,
)
from sevens.league.v1.match_pb2 import ListMatchesRequest, ListMatchesResponse


class Arena(Protocol):
    """What can be looked at, a page at a time."""

    def ladders(self, request: ListLaddersRequest) -> ListLaddersResponse:
        """Ladders, by name."""

    def ladder(self, request: ReadLadderRequest) -> ReadLadderResponse:
        """A ladder, and the versions on it, the best first."""

    def matches(self, request: ListMatchesRequest) -> ListMatchesResponse:
        """Finished matches, the latest first."""


class ServedArena:
    """An arena on a server."""

    def __init__(self, call: Server) -> None:
        self._call = call

    def ladders(self, request: ListLaddersRequest) -> ListLaddersResponse:
        answer: ListLaddersResponse = self._call("ListLadders", request)
        return answer

    def ladder(self, request: ReadLadderRequest) -> ReadLadderResponse:
        answer: ReadLadderResponse = self._call("ReadLadder", request)
        return answer

    def matches(self, request: ListMatchesRequest) -> ListMatchesResponse:
        answer: ListMatchesResponse = self._call("ListMatches", request)
        return answer


class KeptArena:
    """An arena in a data folder."""

    def __init__(self, data: Path, session: Session) -> None:
        self._session = session
        holder = DataFolder(data).holder()
        self._ladders = Ladders(
            standings, obstacle, is_run=lambda name: holder is not None and holder.runs(name)
        )

    def ladders(self, request: ListLaddersRequest) -> ListLaddersResponse:
        return self._ladders.listed(self._session, request)

    def ladder(self, request: ReadLadderRequest) -> ReadLadderResponse:
        return self._ladders.read(self._session, request)

    def matches(self, request: ListMatchesRequest) -> ListMatchesResponse:
        return matches_asked_for(self._session, request)


@contextmanager
def looking(server: str, data: Path) -> Iterator[Arena]:
    """The arena of a server, if one is named, or else of a data folder."""
    if server:
        with calling(server) as call:
            yield ServedArena(call)
        return
    with reading(data, "data") as session:
        try:
            yield KeptArena(data, session)
        except Refusal as refusal:
            raise CommandError(str(refusal), refusal.field) from None


def all_ladders(arena: Arena) -> list[Ladder]:
    """The ladders of all pages."""
    page = arena.ladders(ListLaddersRequest(limit=MOST_ON_A_PAGE))
    found = list(page.ladders)
    while page.next:
        page = arena.ladders(ListLaddersRequest(limit=MOST_ON_A_PAGE, after=page.next))
        found += page.ladders
    return found


def whole_ladder(arena: Arena, name: str) -> ReadLadderResponse:
    """A ladder with the standings of all pages."""
    whole = arena.ladder(ReadLadderRequest(ladder=name, limit=MOST_ON_A_PAGE))
    while whole.next:
        page = arena.ladder(ReadLadderRequest(ladder=name, limit=MOST_ON_A_PAGE, after=whole.next))
        whole.standings.extend(page.standings)
        whole.next = page.next
    return whole
