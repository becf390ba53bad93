"""A new store for a test. Its tables are copied: migrations take longer than most tests."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.session import Store


def new_store(folder: Path) -> Store:
    """Creates a store in a data folder and opens it for writing, as `open_store` does."""
    data = DataFolder(folder)
    data.make()
    data.database.touch(0o600)
    data.database.write_bytes(_empty_database())
    return open_store(folder, "write")


@cache
def _empty_database() -> bytes:
    """Returns the file of a store without rows."""
    with tempfile.TemporaryDirectory() as folder:
        open_store(Path(folder), "write").close()
        return DataFolder(Path(folder)).database.read_bytes()
