"""A tournament in public: the document with everything that everybody may know of it, and the file
with its records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.errors import ArenaError
from arena.league.deal_secret import lot_text
from arena.league.public_lines import bad_file, read_lines, write_lines
from arena.league.tournament.events import events_of
from arena.league.tournament.rows import History, history_of
from arena.league.tournament.tournaments import agreed, drawn_from, format_of, terms_of
from arena.store import schema
from arena.store.queries import ENDED
from arena.tournament import Meeting, Pairing, place_probabilities
from arena.views.tournaments.event import chain
from arena.views.tournaments.tournament import (
    FORMAT,
    GroupMatch,
    PlayedGroup,
    PlayedRound,
    PlayedTable,
    Tournament,
    placed,
    placed_in_pools,
)


def tournament_document(session: Session, tournament: schema.Tournament) -> Tournament:
    """Returns a tournament with everything that is public. The secret is in it once the tournament
    has ended."""
    history = history_of(session, tournament.name)
    course = history.course(terms_of(tournament))
    secret = tournament.secret if tournament.state in ENDED else ""
    agreed_on, plan_digest = agreed(tournament), tournament.plan_digest
    rounds = tuple(_round(history, pairing) for pairing in history.rounds)
    events = events_of(session, tournament.name, {one.number: one for one in history.entered})
    return Tournament(
        **dict(agreed_on),
        format=FORMAT,
        state=tournament.state,
        problem=tournament.problem,
        plays=format_of(session, tournament),
        secret=secret,
        plan_digest=plan_digest,
        events=events,
        chain=chain(plan_digest, events),
        entrants=history.entered,
        rounds=rounds,
        standings=placed(course, rounds, lot_text(secret, drawn_from(session, tournament))),
        pools=placed_in_pools(course, rounds),
        places=place_probabilities(course, agreed_on.commitment),
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
            faults=tuple(result.faults[one] for one in meeting.entrants),
            matches=tuple(
                GroupMatch(match=match, digest=digest) for match, digest in result.matches
            ),
        )
        for group, result in history.finished_at(meeting)
    )


def write_file(path: Path, document: Tournament, records: Iterable[str]) -> int:
    """Writes a tournament and the texts of its records. Returns the number of records. Raises
    ArenaError."""
    return write_lines(path, document.model_dump_json(), records)


def read_file(path: Path) -> tuple[Tournament, Iterator[str]]:
    """Returns the document, and the records' texts one after the other. Raises ArenaError,
    also if the document has other fields or values of other types than the one of a tournament."""
    first, records = read_lines(path)
    try:
        document = Tournament.model_validate_json(first, strict=True, extra="forbid")
    except ValidationError as error:
        mistake = min(error.errors(), key=lambda each: each["loc"] != ("format",))
        where = ".".join(map(str, mistake["loc"])) or "the first line"
        raise _no_tournament(path, f"{where}: {mistake['msg']}") from None
    if json.loads(first) != document.model_dump(mode="json"):
        raise _no_tournament(path, "terms are missing, or numbers are written in another way")
    return document, records


def _no_tournament(path: Path, reason: str) -> ArenaError:
    return bad_file(f"{path} is no tournament of format {FORMAT}: {reason}.")
