"""Opens the store of a data folder if its tables belong to this version of the arena."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from arena.disk import DiskFull
from arena.errors import ArenaError, Kind
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.store.sqlite import damaged, sqlite_engine
from arena.store.upgrade import migrate, revision_of, revisions, wrong_tables

Mode = Literal["read", "write"]


def open_store(folder: Path, mode: Mode) -> Store:
    """Opens the store of a data folder; in mode "write" it is created if necessary.

    Raises ArenaError, as does any use of a store that proves to be damaged, and DiskFull.
    """
    data = DataFolder(folder)
    if mode == "read":
        check_there(data)
    else:
        data.make()
    return _checked(sqlite_engine(data.database, read_only=mode == "read"), folder, mode)


def check_there(data: DataFolder) -> None:
    """Raises ArenaError if no arena has been set up in a data folder."""
    if not data.has_store():
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"There is no arena in {data.path}: name an existing data folder with --data, or a"
            " server with --server or ARENA_SERVER, or create an arena with `arena demo` or `arena"
            " ladder create`.",
            "data",
        )


def _checked(engine: sa.Engine, folder: Path, mode: Mode) -> Store:
    try:
        _check_tables(engine, folder, mode)
    except OperationalError as error:
        engine.dispose()
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The store of the data folder {folder} cannot be opened ({error.orig}): check that"
            " you may read and write it.",
            "data",
        ) from None
    except (DiskFull, ArenaError):
        engine.dispose()
        raise
    return Store(engine)


def _check_tables(engine: sa.Engine, folder: Path, mode: Mode) -> None:
    """Creates missing tables in mode "write"; raises ArenaError if the tables are not this
    version's."""
    found = revision_of(engine)
    if found is None and mode == "write":
        migrate(engine)
    elif found != revisions()[-1]:
        raise wrong_tables(folder, found)


def check_store(folder: Path) -> None:
    """Runs SQLite's own check on the store of a data folder.

    Raises ArenaError if its tables are damaged, or not those of this version.
    """
    with closing(open_store(folder, "read")) as store, store.reading() as session:
        found = session.scalar(sa.text("PRAGMA quick_check(1)"))
    if found != "ok":
        raise ArenaError(Kind.DAMAGED, damaged(DataFolder(folder).database, found), "data")
