"""A tournament as one file: its public document, then its records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.league.public_lines import BadFile, read_lines, write_lines
from arena.league.tournament.document import VERSION
from arena.tournament import (
    Cost,
    Entrant,
    Meeting,
    Pairing,
    TournamentCourse,
    TournamentError,
    TournamentTerms,
)

MOST_ENTRANTS, MOST_ROUNDS, MOST_TABLES, MOST_GROUPS, MOST_MATCHES = 1024, 1024, 512, 100, 24
Hex64 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, Field(max_length=200)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]


class Part(BaseModel):
    """Part of the document: of exactly these fields, of exactly these types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class EntrantPart(Part):
    number: Count
    bot: Name
    version: Hex64
    version_number: Count
    owner: Name | None
    entered_round: Count
    withdrawn_round: Count | None
    reason: Annotated[str, Field(max_length=1000)]


class MatchPart(Part):
    match: Name
    digest: Hex64


class GroupPart(Part):
    group: Count
    job: Name
    points: Annotated[list[float | int], Field(max_length=16)]
    matches: Annotated[list[MatchPart], Field(max_length=MOST_MATCHES)]


class TablePart(Part):
    table: Count
    entrants: Annotated[list[Count], Field(max_length=16)]
    groups: Annotated[list[GroupPart], Field(max_length=MOST_GROUPS)]


class CostPart(Part):
    name: Name
    value: int
    sentence: Annotated[str, Field(max_length=500)]


class RoundPart(Part):
    round: Count
    method: Name
    costs: Annotated[list[CostPart], Field(max_length=2100)]
    byes: Annotated[list[Count], Field(max_length=MOST_ENTRANTS)]
    tables: Annotated[list[TablePart], Field(max_length=MOST_TABLES)]


class Document(Part):
    """The public document; `arena.league.tournament.document` writes it."""

    format: Literal[1]
    tournament: Name
    state: Name
    problem: Annotated[str, Field(max_length=5000)]
    game: Name
    rules_version: Count
    options: Annotated[dict[Name, Name], Field(max_length=100)]
    seats: Count
    deals: Literal["single", "duplicate"]
    partners: Literal["same", "any"]
    common_deals: bool
    bank_ms: Count | int
    increment_ms: Count | int
    terms: dict[str, Any]
    plays: Name
    commitment: Hex64
    secret: Hex64 | Literal[""]
    entrants: Annotated[list[EntrantPart], Field(max_length=MOST_ENTRANTS)]
    rounds: Annotated[list[RoundPart], Field(max_length=MOST_ROUNDS)]
    standings: Annotated[list[dict[str, Any]], Field(max_length=MOST_ENTRANTS)]
    places: dict[str, dict[str, float]] | None

    def course(self) -> TournamentCourse:
        """Returns the course that the document states. Raises BadFile."""
        try:
            return TournamentCourse(
                terms=TournamentTerms(
                    **self.terms | {"tie_breaks": tuple(self.terms["tie_breaks"])}
                ),
                entrants=[_entrant(one) for one in self.entrants],
                rounds=[_pairing(one) for one in self.rounds],
                scores={
                    (one.round, table.table): tuple(tuple(g.points) for g in table.groups)
                    for one in self.rounds
                    for table in one.tables
                },
            )
        except (TournamentError, KeyError, TypeError) as error:
            raise BadFile(f"The document's terms or entrants are wrong: {error}") from None


def write_file(path: Path, document: Mapping[str, Any], records: Iterable[str]) -> int:
    """Writes a tournament and the texts of its records. Returns the number of records. Raises
    OSError."""
    return write_lines(path, json.dumps(document, ensure_ascii=False), records)


def read_file(path: Path) -> tuple[Document, Iterator[str]]:
    """Returns the document, and the records' texts one after the other. Raises BadFile and
    OSError."""
    first, records = read_lines(path)
    try:
        return Document.model_validate_json(first), records
    except ValidationError as error:
        mistake = error.errors()[0]
        where = ".".join(map(str, mistake["loc"])) or "the first line"
        raise BadFile(
            f"{path} is no tournament of format {VERSION}: {where}: {mistake['msg']}."
        ) from None


def _entrant(part: EntrantPart) -> Entrant:
    return Entrant(part.number, part.bot, part.owner, part.entered_round, part.withdrawn_round)


def _pairing(part: RoundPart) -> Pairing:
    return Pairing(
        round=part.round,
        meetings=tuple(
            Meeting(part.round, table.table, tuple(table.entrants)) for table in part.tables
        ),
        byes=tuple(part.byes),
        costs=tuple(Cost(cost.name, cost.value, cost.sentence) for cost in part.costs),
        method=part.method,
    )
