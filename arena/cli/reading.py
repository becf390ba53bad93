"""What reading commands need: the store of a data folder, opened to be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.orm import Session

from arena.client.errors import CommandError
from arena.store.open import open_store
from arena.store.queries import NotFound


@contextmanager
def reading(data: Path, field: str) -> Iterator[Session]:
    """A view of the store. What is not found there is told as a mistake in `field`."""
    store = open_store(data, "read")
    try:
        with store.reading() as session:
            yield session
    except NotFound as error:
        raise CommandError(str(error), field) from None
    finally:
        store.close()
