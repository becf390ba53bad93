"""The store: transactions on the tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.disk import DiskFull
from arena.store.schema import Base, table_of

log = logging.getLogger(__name__)

T = TypeVar("T")

Column = sa.ColumnElement[Any]
Change = Callable[[sa.Column[Any], Column], Column]

LOOK_FOR_ROOM_EVERY_S = 1.0


class Store:
    """An open store. A `writing()` block takes effect as a whole, or not at all. It raises DiskFull
    if there is no room for it."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self._durable = engine.execution_options(writes=True)
        self._hasty = engine.execution_options(writes=True, durable=False)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that sees one state of the store and changes nothing."""
        with Session(self.engine, autoflush=False) as session:
            yield session

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Session]:
        """A transaction that is committed at the end of the block, or rolled back if it raises.

        `durable`: a power cut cannot undo it. Otherwise it may, as if it and all that followed had
        not happened, until the next durable one is committed; it does not wait for the disk.
        """
        engine = self._durable if durable else self._hasty
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Closes the connections."""
        self.engine.dispose()


def insert_rows(session: Session, rows: Sequence[Base]) -> None:
    """Inserts rows of one table in one statement; all of them have the same columns set. The
    session neither tracks them, which would take three times as long, nor writes anything else
    before."""
    table = table_of(type(rows[0]))
    names = [column.name for column in table.columns if column.name in vars(rows[0])]
    values = [{name: vars(row)[name] for name in names} for row in rows]
    session.connection().execute(sa.insert(table), values)


def upsert_rows(
    session: Session, table: sa.Table, rows: Sequence[dict[str, Any]], change: Change
) -> None:
    """Inserts rows, and changes those whose keys are already in the table.

    `change`: returns the new value of a column from the column and the value in the given row. One
    function for each use, because its statement is prepared once.
    """
    if rows:
        connection = session.connection()
        connection.execute(_upsert(connection.dialect.name, table, change), rows)


@cache
def _upsert(dialect: str, table: sa.Table, change: Change) -> Any:
    # Of the two dialects, the one that a store has not takes long to load.
    insert = import_module(f"sqlalchemy.dialects.{dialect}").insert
    statement = insert(table)
    keys = table.primary_key.columns
    return statement.on_conflict_do_update(
        index_elements=keys,
        set_={
            column.name: change(column, statement.excluded[column.name])
            for column in table.columns
            if column.name not in keys
        },
    )


async def with_room(work: Callable[[], T]) -> T:
    """Does the work in a thread, and repeats it until the disk has room for it. Logs the wait
    once."""
    waited = False
    while True:
        try:
            result = await asyncio.to_thread(work)
        except DiskFull as full:
            if not waited:
                log.warning("%s Matches wait until there is room.", full)
            waited = True
            await asyncio.sleep(LOOK_FOR_ROOM_EVERY_S)
        else:
            if waited:
                log.warning("There is room on the disk again.")
            return result
