"""The context of a call, and the row that describes a method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from sqlalchemy.orm import Session

from arena.ratings import Explanation
from arena.server.auth import Caller
from arena.store.data_folder import DataFolder
from arena.store.queries import Placing
from arena.store.schema import (
    Comparison,
    CompetitionState,
    Ladder,
    Role,
    Table,
    Tournament,
    TournamentEntrant,
    Version,
)
from arena.store.session import Store


class Tournaments(Protocol):
    """The league's part in tournaments. Raises ArenaError."""

    def create(self, session: Session, name: str, game: str, **terms: Any) -> Tournament:
        """Creates a tournament without entrants."""

    def enter(
        self, session: Session, tournament: Tournament, version: Version
    ) -> TournamentEntrant:
        """Enters a version."""

    def leave(
        self, session: Session, tournament: Tournament, version: Version, reason: str
    ) -> TournamentEntrant:
        """Withdraws a version."""

    def change(self, session: Session, tournament: Tournament, state: CompetitionState) -> None:
        """Starts, pauses or cancels a tournament."""

    def document(self, session: Session, tournament: Tournament) -> dict[str, Any]:
        """Returns the public document."""


class ComparedMatch(Protocol):
    """A match of a group, and the digest of its record."""

    @property
    def match(self) -> str: ...

    @property
    def digest(self) -> str: ...


class ComparedGroup(Protocol):
    """A group of a comparison that counts."""

    @property
    def difference(self) -> float: ...

    @property
    def matches(self) -> Sequence[ComparedMatch]: ...


class Comparisons(Protocol):
    """The league's part in comparisons. Raises what `Tournaments` raises."""

    def create(
        self,
        session: Session,
        owner: str,
        game: str,
        new: Version,
        old: Version,
        house: Sequence[Version],
        *,
        replacement: bool,
        by_score: bool,
        **terms: Any,
    ) -> Comparison:
        """Creates a comparison, or returns the one of this name and plan."""

    def change(self, session: Session, comparison: Comparison, state: CompetitionState) -> None:
        """Pauses, resumes or cancels a comparison."""

    def document(self, session: Session, comparison: Comparison) -> dict[str, Any]:
        """Returns the public document."""

    def groups(
        self, session: Session, comparison: Comparison, after: int, most: int
    ) -> Sequence[ComparedGroup]:
        """Returns at most so many groups that count, `after` the first so many."""


class Tables(Protocol):
    """The league's part in tables. Raises what `Tournaments` raises."""

    def sit_down(
        self, session: Session, owner: str, address: str, game: str, **terms: Any
    ) -> tuple[Table, str]:
        """Seats a person at a table with new deals; returns it with the key of the seat."""

    def sit_down_again(
        self, session: Session, owner: str, address: str, match: str, **terms: Any
    ) -> tuple[Table, str]:
        """Seats a person in a recorded match; returns the table with the key of the seat."""


@dataclass(frozen=True)
class League:
    """The league's knowledge; passed in, because the server does not import the league.

    `standings`: returns the versions on a ladder, best first.
    `obstacle`: returns the reason why a ladder schedules no matches now; None if it does.
    `explain`: explains the rating of a version, given by its digest.
    `is_run`: returns whether an arena runs the competition of that name.
    `tournaments`: creates and changes tournaments.
    `comparisons`: creates and changes comparisons.
    `tables`: seats people at tables.
    """

    standings: Callable[[Session, str], Sequence[Placing]]
    obstacle: Callable[[Session, Ladder], str | None]
    explain: Callable[[Session, Ladder, str], Explanation]
    is_run: Callable[[str], bool]
    tournaments: Tournaments
    comparisons: Comparisons
    tables: Tables


@dataclass(frozen=True)
class Call:
    """The context of a call.

    `caller`: who makes it.
    `store`: the open store; for writing if the method writes.
    `folder`: the data folder of that store.
    `league`: its knowledge of ladders.
    """

    caller: Caller
    store: Store
    folder: DataFolder
    league: League


Handler: TypeAlias = Callable[[Call, Any], Any]
"""Answers a request. Raises ArenaError."""


@dataclass(frozen=True)
class Method:
    """A method of `LeagueService` with one request and one response.

    `roles`: the roles that may call it.
    `handler`: the function that answers it.
    `exclusive`: True if an arena that is not running must lock its data folder to answer, and
    create it if it is missing.
    """

    roles: tuple[Role, ...]
    handler: Handler
    exclusive: bool = False
