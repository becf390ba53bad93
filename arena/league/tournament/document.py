"""A tournament's public document: everything that everybody may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.tournament.rows import History, history_of, pairing_document
from arena.league.tournament.tournaments import ENDED, format_of, terms_of
from arena.protocol import commitment_of
from arena.store.schema import Tournament, TournamentEntrant
from arena.tournament import Meeting, Pairing, TournamentCourse, place_probabilities, standings

VERSION = 1


def tournament_document(session: Session, tournament: Tournament) -> dict[str, Any]:
    """Returns the document, ready for JSON. The secret is in it once the tournament has ended."""
    history = history_of(session, tournament.name)
    terms = terms_of(tournament)
    course = history.course(terms)
    secret = tournament.secret if tournament.state in ENDED else ""
    commitment = commitment_of(bytes.fromhex(tournament.secret)).hex()
    return {
        "format": VERSION,
        "tournament": tournament.name,
        "state": str(tournament.state),
        "problem": tournament.problem,
        "game": tournament.game,
        "rules_version": tournament.rules_version,
        "options": dict(sorted(tournament.options.items())),
        "seats": tournament.seats,
        "deals": str(tournament.format),
        "partners": str(tournament.partners),
        "common_deals": tournament.common_deals,
        "bank_ms": tournament.bank_ms,
        "increment_ms": tournament.increment_ms,
        "terms": asdict(terms),
        "plays": format_of(session, tournament),
        "commitment": commitment,
        "secret": secret,
        "entrants": _entrants(session, tournament, history),
        "rounds": [_round(history, pairing) for pairing in history.rounds],
        "standings": standings_document(course, secret),
        "places": places_document(course, commitment),
    }


def standings_document(course: TournamentCourse, secret: str) -> list[dict[str, Any]]:
    """Returns the standings. `secret`: empty as long as it is not revealed."""
    return [
        {
            "place": standing.place,
            "number": standing.number,
            "bot": course.entrant[standing.number].name,
            "points": standing.points,
            "tie_breaks": list(standing.tie_breaks),
        }
        for standing in standings(course, secret)
    ]


def places_document(course: TournamentCourse, seed: str) -> dict[str, dict[str, float]] | None:
    """Returns the probabilities of the places, by entrant and place; None if there are none."""
    chances = place_probabilities(course, seed)
    if chances is None:
        return None
    return {
        str(number): {str(place): chance for place, chance in by_place.items()}
        for number, by_place in chances.items()
    }


def _entrants(session: Session, tournament: Tournament, history: History) -> list[dict[str, Any]]:
    reasons = dict(
        session.execute(
            sa.select(TournamentEntrant.number, TournamentEntrant.reason).where(
                TournamentEntrant.tournament == tournament.name
            )
        ).all()
    )
    return [
        {
            "number": one.number,
            "bot": one.name,
            "version": history.versions[one.number].digest,
            "version_number": history.versions[one.number].number,
            "owner": one.owner,
            "entered_round": one.entered_round,
            "withdrawn_round": one.withdrawn_round,
            "reason": reasons[one.number],
        }
        for one in history.entrants
    ]


def _round(history: History, pairing: Pairing) -> dict[str, Any]:
    stored = pairing_document(pairing)
    return {
        "round": pairing.round,
        "method": stored["method"],
        "costs": [
            {"name": name, "value": value, "sentence": sentence}
            for name, value, sentence in stored["costs"]
        ],
        "byes": stored["byes"],
        "tables": [
            {
                "table": meeting.table,
                "entrants": list(meeting.entrants),
                "groups": _groups(history, meeting),
            }
            for meeting in pairing.meetings
        ],
    }


def _groups(history: History, meeting: Meeting) -> Sequence[dict[str, Any]]:
    """Returns the groups that count."""
    return [
        {
            "group": group.number,
            "job": group.job,
            "points": [result.points[one] for one in meeting.entrants],
            "matches": [{"match": match, "digest": digest} for match, digest in result.matches],
        }
        for group, result in history.finished_at(meeting)
    ]
