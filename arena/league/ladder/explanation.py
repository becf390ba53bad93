"""Explains ratings from what the store has of a ladder's jobs."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.ladder.rated_jobs import rated_with_skills
from arena.ratings import Calibration, Explanation, calibrate, explain
from arena.store.schema import Entry, Ladder, Version


def explain_rating(session: Session, ladder: Ladder, version: str) -> Explanation:
    """Explains the rating of a version. Raises ArenaError."""
    entered = sa.select(Version.digest, Version.bot).join(Entry, Entry.version == Version.digest)
    bots = dict(session.execute(entered.where(Entry.ladder == ladder.name)).all())
    jobs = rated_with_skills(session, ladder.name, version)
    return explain(version, jobs, bots, ladder.draw_probability)


def calibrate_predictions(session: Session, ladder: Ladder) -> Calibration:
    """Compares what the running ratings predicted before each rated job with its result. Raises
    ArenaError."""
    return calibrate(rated_with_skills(session, ladder.name), ladder.draw_probability)
