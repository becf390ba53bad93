"""Direct access to a data folder of this machine: to read its store, or to change it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.orm import Session

from arena.errors import naming
from arena.store.data_folder import DataFolder, Hold
from arena.store.open import open_store
from arena.store.session import Store


@contextmanager
def held(folder: DataFolder) -> Iterator[Hold]:
    """Holds the data folder, which only one arena can do at a time."""
    with folder.hold() as hold:
        yield hold


@contextmanager
def opened_to_read(data: Path) -> Iterator[Store]:
    """Opens the store of a data folder, whether or not an arena holds it."""
    with closing(open_store(data, "read")) as store:
        yield store


@contextmanager
def opened_to_change(folder: DataFolder) -> Iterator[Store]:
    """Opens the store of a data folder, and holds the folder; creates both if they are missing."""
    with held(folder), closing(open_store(folder.path, "write")) as store:
        yield store


@contextmanager
def reading(data: Path, field: str) -> Iterator[Session]:
    """Opens a read transaction. Whatever is not found there is reported as an error in `field`."""
    with naming(field), opened_to_read(data) as store, store.reading() as session:
        yield session


@contextmanager
def changing(folder: DataFolder, field: str) -> Iterator[Store]:
    """Opens a store to change it. Whatever is not found is reported as an error in `field`."""
    with naming(field), opened_to_change(folder) as store:
        yield store
