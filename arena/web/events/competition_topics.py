"""The topics of competitions, and that of all matches."""

from __future__ import annotations

import asyncio
import json
from functools import partial

import sqlalchemy as sa

from arena.store import schema
from arena.store.schema import Competition, Job, JobState, Match
from arena.store.session import Store
from arena.web.events.topic import Look, State


def competition_look(store: Store, name: str) -> Look:
    """Watches all that changes a competition's page: its rated jobs, its last match, its queue, its
    state, and who is in it."""
    statement = sa.select(
        _last_rated(name).label("rated"),
        _queued(name).label("queued"),
        _latest(name).label("latest"),
        sa.select(Competition.state).where(Competition.name == name).scalar_subquery(),
        _field_revision(),
    )
    return partial(asyncio.to_thread, _look, store, statement)


def matches_look(store: Store) -> Look:
    """Watches the matches of all competitions."""
    statement = sa.select(
        sa.literal(None).label("rated"), _queued().label("queued"), _latest().label("latest")
    )
    return partial(asyncio.to_thread, _look, store, statement)


def _look(store: Store, statement: sa.Executable) -> State:
    with store.reading() as session:
        row = session.execute(statement).one()
    known = {"rated": row.rated or 0, "queued": row.queued, "latest": row.latest}
    return State("/".join(map(str, row)), json.dumps(known))


def _last_rated(name: str) -> sa.ScalarSelect[int | None]:
    return sa.select(sa.func.max(Job.sequence)).where(Job.competition == name).scalar_subquery()


def _queued(name: str | None = None) -> sa.ScalarSelect[int]:
    # Written out, since the index of these jobs serves no placeholder.
    queued = sa.select(sa.func.count()).where(
        Job.state == sa.literal_column(f"'{JobState.QUEUED}'")
    )
    return (queued if name is None else queued.where(Job.competition == name)).scalar_subquery()


def _latest(name: str | None = None) -> sa.ScalarSelect[str]:
    latest = sa.select(Match.id).order_by(Match.finished_at.desc(), Match.id.desc()).limit(1)
    return (latest if name is None else latest.where(Match.competition == name)).scalar_subquery()


def _field_revision() -> sa.ScalarSelect[int]:
    revision = sa.select(schema.Revision.number).where(schema.Revision.name == schema.FIELD)
    return revision.scalar_subquery()
