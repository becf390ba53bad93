"""Matches declared void, and such as count again."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league import unvoid_jobs, void_jobs
from arena.operations.caller import ORGANISERS
from arena.operations.named import check_filter
from arena.operations.operation import Changing, Reason, Text, changes
from arena.store.match_names import match_with
from arena.store.queries import void_reasons
from arena.views.matches.match_filter import EVERY_MATCH, Order
from arena.views.matches.match_list import jobs_of
from arena.views.matches.match_query import CONDITIONS, from_query
from arena.views.matches.void import VoidMatches

Conditions = Annotated[
    dict[Text, Text],
    Field(
        max_length=len(CONDITIONS),
        description="The parameters of `GET /api/matches` that choose them.",
    ),
]
NO_CONDITIONS: Conditions = {}


@changes("POST", "/matches/void", ORGANISERS)
def void_matches(
    call: Changing, reason: Reason, match: Text = "", wanted: Conditions = NO_CONDITIONS
) -> VoidMatches:
    """Declare a match void, or all that a filter chooses, with those that were rated together: they
    stay to be read, and everything that followed from them is as if they had never been. A filter
    that names no competition chooses matches of ladders. In a tournament the tables play again, as
    long as no later round was paired."""
    with call.store.writing() as session:
        jobs = _chosen(session, match, wanted, are_void=False)
        return VoidMatches(matches=dict(void_jobs(session, jobs, reason)))


@changes("POST", "/matches/unvoid", ORGANISERS)
def unvoid_matches(
    call: Changing, match: Text = "", wanted: Conditions = NO_CONDITIONS
) -> VoidMatches:
    """Let void matches count again, as they did before. Those of tournaments stay void."""
    with call.store.writing() as session:
        jobs = _chosen(session, match, wanted, are_void=True)
        return VoidMatches(matches=dict(unvoid_jobs(session, jobs)))


def _chosen(session: Session, match: str, conditions: Conditions, *, are_void: bool) -> set[str]:
    """Returns the jobs of the matches that are chosen. Raises ArenaError."""
    wanted = from_query(conditions.items())
    is_empty = replace(wanted, order=Order.LATEST, void=False) == EVERY_MATCH
    if bool(match) is not is_empty:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "Name one match, or choose matches by a filter, such as a bot, a ladder or a time.",
            "match",
        )
    if match:
        return {_job_of(session, match, is_void=are_void)}
    check_filter(session, wanted)
    jobs = jobs_of(session, replace(wanted, void=are_void))
    if not jobs:
        what = "void matches" if are_void else "matches that count"
        raise ArenaError(Kind.NOT_FOUND, f"The filter chooses no {what}.", "wanted")
    return jobs


def _job_of(session: Session, match: str, *, is_void: bool) -> str:
    row = match_with(session, match)
    reason = void_reasons(session, [row.id]).get(row.id)
    if is_void and reason is None:
        raise ArenaError(Kind.NOT_NOW, f"The match {row.id} is not void.", "match")
    if not is_void and reason is not None:
        raise ArenaError(Kind.NOT_NOW, f"The match {row.id} is void already: {reason}", "match")
    return row.job
