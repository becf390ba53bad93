"""Names of matches: their ids, and beginnings of them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.nearest import did_you_mean
from arena.store.schema import Match

JOB_DIGITS = 10
ALIKE, COMPARED = 3, 500  # first characters of ids, and ids that are compared with a mistyped one
LAST = "\U0010ffff"  # the last character: an index finds texts that begin alike by a range up to it
LONGEST_ID = 200  # of a match; SQLite takes no pattern of 50,000 characters


def short_name(match_id: str) -> str:
    """Returns a prefix of a match's id that identifies it in any arena but a gigantic one."""
    job, dash, number = match_id.rpartition("-")
    return f"{job[:JOB_DIGITS]}{dash}{number}"


def match_with(session: Session, match_id: str) -> Match:
    """Returns the match with that id, or the only one whose id begins with it. Raises
    ArenaError."""
    if len(match_id) > LONGEST_ID:
        raise ArenaError(
            Kind.NOT_FOUND,
            f"No match begins with {match_id[:LONGEST_ID]!r}…; it is too long.",
            "match",
        )
    exact = session.get(Match, match_id)
    if exact is not None:
        return exact
    job, dash, number = match_id.rpartition("-")
    begins: sa.ColumnElement[bool] = Match.id.between(match_id, match_id + LAST)
    if job and number.isdecimal():  # as `short_name` gives it
        begins |= Match.id.between(job, job + LAST) & Match.id.endswith(f"{dash}{number}")
    found = session.scalars(sa.select(Match).where(begins).limit(2)).all()
    if not match_id or len(found) != 1:
        which = "More than one match begins" if found else "No match begins"
        question = did_you_mean(match_id, [] if found else _similar_names(session, match_id))
        raise ArenaError(
            Kind.NOT_FOUND,
            f"{which} with {match_id!r}. {question or '`arena matches` lists all finished ones.'}",
            "match",
        )
    return found[0]


def _similar_names(session: Session, match_id: str) -> list[str]:
    """Returns the names of some matches that begin alike."""
    first, last = match_id[:ALIKE], match_id[:ALIKE] + LAST
    ids = sa.select(Match.id).where(Match.id.between(first, last)).limit(COMPARED)
    return [short_name(found) for found in session.scalars(ids)]
