"""A tournament in public: the document with everything that everybody may know of it, and the file
with its records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.league.public_lines import BadFile, read_lines, write_lines
from arena.league.tournament.rows import History, history_of
from arena.league.tournament.tournaments import format_of, terms_of
from arena.protocol import commitment_of
from arena.store import schema
from arena.store.queries import ENDED
from arena.tournament import Meeting, Pairing, place_probabilities
from arena.views.tournaments.tournament import (
    FORMAT,
    GroupMatch,
    PlayedGroup,
    PlayedRound,
    PlayedTable,
    Tournament,
    placed,
)


def tournament_document(session: Session, tournament: schema.Tournament) -> Tournament:
    """Returns a tournament with everything that is public. The secret is in it once the tournament
    has ended."""
    history = history_of(session, tournament.name)
    terms = terms_of(tournament)
    course = history.course(terms)
    secret = tournament.secret if tournament.state in ENDED else ""
    commitment = commitment_of(bytes.fromhex(tournament.secret)).hex()
    return Tournament(
        format=FORMAT,
        tournament=tournament.name,
        state=tournament.state,
        problem=tournament.problem,
        game=tournament.game,
        rules_version=tournament.rules_version,
        options=dict(sorted(tournament.options.items())),
        seats=tournament.seats,
        deals=tournament.format,
        partners=tournament.partners,
        common_deals=tournament.common_deals,
        bank_ms=tournament.bank_ms,
        increment_ms=tournament.increment_ms,
        terms=terms,
        plays=format_of(session, tournament),
        commitment=commitment,
        secret=secret,
        entrants=history.entered,
        rounds=tuple(_round(history, pairing) for pairing in history.rounds),
        standings=placed(course, secret),
        places=place_probabilities(course, commitment),
    )


def _round(history: History, pairing: Pairing) -> PlayedRound:
    return PlayedRound(
        round=pairing.round,
        method=pairing.method,
        costs=pairing.costs,
        byes=pairing.byes,
        tables=tuple(
            PlayedTable(
                table=meeting.table, entrants=meeting.entrants, groups=_groups(history, meeting)
            )
            for meeting in pairing.meetings
        ),
    )


def _groups(history: History, meeting: Meeting) -> tuple[PlayedGroup, ...]:
    """Returns the groups that count."""
    return tuple(
        PlayedGroup(
            group=group.number,
            job=group.job,
            points=tuple(result.points[one] for one in meeting.entrants),
            matches=tuple(
                GroupMatch(match=match, digest=digest) for match, digest in result.matches
            ),
        )
        for group, result in history.finished_at(meeting)
    )


def write_file(path: Path, document: Tournament, records: Iterable[str]) -> int:
    """Writes a tournament and the texts of its records. Returns the number of records. Raises
    OSError."""
    return write_lines(path, document.model_dump_json(), records)


def read_file(path: Path) -> tuple[Tournament, Iterator[str]]:
    """Returns the document, and the records' texts one after the other. Raises BadFile, also if
    the document has other fields or values of other types than the one of a tournament, and
    OSError."""
    first, records = read_lines(path)
    try:
        document = Tournament.model_validate_json(first, strict=True, extra="forbid")
    except ValidationError as error:
        mistake = error.errors()[0]
        where = ".".join(map(str, mistake["loc"])) or "the first line"
        raise _no_tournament(path, f"{where}: {mistake['msg']}") from None
    if json.loads(first) != document.model_dump(mode="json"):
        raise _no_tournament(path, "terms are missing, or numbers are written in another way")
    return document, records


def _no_tournament(path: Path, reason: str) -> BadFile:
    return BadFile(f"{path} is no tournament of format {FORMAT}: {reason}.")
