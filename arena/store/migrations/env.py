"""Alembic's entry to the tables: `arena.store.upgrade` passes it the connection."""

from __future__ import annotations

from typing import Any, Literal

import sqlalchemy as sa
from alembic import context

from arena.store.schema import Base, Moment


def plainly(kind: str, item: Any, _: Any) -> str | Literal[False]:
    """Writes our own types in revisions as what they are in SQL: a revision must not change when
    they do."""
    if kind == "type" and isinstance(item, Moment):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, sa.Enum):
        return f"sa.String({item.length})"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    render_item=plainly,
)
with context.begin_transaction():
    context.run_migrations()
