"""The store: transactions on the tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy.orm import Session


class Store:
    """An open store. A `writing()` block takes effect as a whole, or not at all."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self._for_writing = engine.execution_options(writes=True)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that sees one state of the store and changes nothing."""
        with Session(self.engine, autoflush=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that is committed at the end of the block, or rolled back if it raises."""
        with Session(self._for_writing, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Closes the connections."""
        self.engine.dispose()
