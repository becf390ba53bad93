"""Opens the store of a data folder if its tables belong to this version of the arena."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from arena.disk import DiskFull
from arena.store import migrations
from arena.store.data_folder import DataFolder, WrongDataFolder
from arena.store.session import Store
from arena.store.sqlite import damaged, sqlite_engine

Mode = Literal["read", "write"]


def open_store(folder: Path, mode: Mode) -> Store:
    """Opens the store of a data folder; in mode "write" it is created if necessary.

    Raises WrongDataFolder, as does any use of a store that proves to be damaged, and DiskFull.
    """
    data = DataFolder(folder)
    if mode == "read" and not data.has_store():
        raise WrongDataFolder(
            f"There is no arena in {folder}: name an existing data folder with --data, "
            "or create an arena with `arena demo` or `arena ladder create`."
        )
    if mode == "write":
        data.make()
    return _checked(sqlite_engine(data.database, read_only=mode == "read"), folder, mode)


def _checked(engine: sa.Engine, folder: Path, mode: Mode) -> Store:
    try:
        _check_tables(engine, folder, mode)
    except OperationalError as error:
        engine.dispose()
        raise WrongDataFolder(
            f"The store of the data folder {folder} cannot be opened ({error.orig}): check that"
            " you may read and write it."
        ) from None
    except (DiskFull, WrongDataFolder):
        engine.dispose()
        raise
    return Store(engine)


def _check_tables(engine: sa.Engine, folder: Path, mode: Mode) -> None:
    """Creates missing tables in mode "write"; raises WrongDataFolder if the tables are not this
    version's."""
    known = revisions()
    found = _revision(engine)
    if found is None and mode == "write":
        from arena.store.upgrade import migrate  # which imports this module

        migrate(engine)
    elif found != known[-1]:
        raise WrongDataFolder(_what_to_do(folder, found, known))


def check_store(folder: Path) -> None:
    """Runs SQLite's own check on the store of a data folder.

    Raises WrongDataFolder if its tables are damaged, or not those of this version.
    """
    store = open_store(folder, "read")
    try:
        with store.reading() as session:
            found = session.scalar(sa.text("PRAGMA quick_check(1)"))
    finally:
        store.close()
    if found != "ok":
        raise WrongDataFolder(damaged(DataFolder(folder).database, found))


def needs_upgrade(engine: sa.Engine, folder: Path) -> str | None:
    """Returns the revision of tables older than this version's, or None if they are current.

    Raises WrongDataFolder if there are none, or newer ones.
    """
    known = revisions()
    found = _revision(engine)
    if found in known[:-1]:
        return found
    if found != known[-1]:
        raise WrongDataFolder(_what_to_do(folder, found, known))
    return None


def revisions() -> list[str]:
    """Returns the revisions of the tables, oldest first: the numbers at the start of the
    migrations' names."""
    [versions] = [Path(path) / "versions" for path in migrations.__path__]
    return sorted(path.name.partition("_")[0] for path in versions.glob("[0-9]*.py"))


def _revision(engine: sa.Engine) -> str | None:
    """Returns the revision of the store's tables, or None if there are none."""
    if not sa.inspect(engine).has_table("alembic_version"):
        return None
    with engine.connect() as connection:
        revision: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        return revision


def _what_to_do(folder: Path, found: str | None, known: Sequence[str]) -> str:
    if found is None:
        return f"The store of {folder} is empty: nothing has been set up there yet."
    if found in known:
        return (
            f"The data folder {folder} was made by an older version of the arena: "
            f"run `arena upgrade --data {folder}`, which makes a backup first."
        )
    return (
        f"The data folder {folder} was made by a newer version of the arena "
        f"(tables {found}): install that version, or use another folder."
    )
