"""Creates the tables of a store, and upgrades those of an older version, keeping a backup.

Alembic is imported only where it is used: it takes as long to load as the rest of a command.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from arena.errors import ArenaError, Kind
from arena.store.data_folder import DataFolder
from arena.store.sqlite import replacing_tables, sqlite_engine

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade_folder(data: DataFolder) -> Path | None:
    """Backs the store up and migrates it; returns the backup, or None if it is already current.

    Only for the process that holds the folder. Raises ArenaError.
    """
    if not data.has_store():
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"There is no arena in {data.path}: name its folder with --data.",
            "data",
        )
    engine = sqlite_engine(data.database, read_only=False)
    try:
        known, found = revisions(), revision_of(engine)
        if found == known[-1]:
            return None
        if found not in known:
            raise wrong_tables(data.path, found)
        backup = _backup(data.database, found)
        migrate(engine)
        return backup
    finally:
        engine.dispose()


def _backup(database: Path, revision: str) -> Path:
    backup = database.with_name(f"{database.name}.{revision}")
    copy_database(database, backup)
    return backup


def copy_database(database: Path, copy: Path) -> None:
    """Copies the database as of one moment, including its write-ahead log, while others write. The
    copy is one file, and gets its name once it is complete."""
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(0o600)
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(unfinished)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")
    unfinished.replace(copy)


def migrate(engine: sa.Engine) -> None:
    """Creates the tables, or migrates older ones to this version."""
    from alembic.command import upgrade

    config = migration_config()
    with replacing_tables(engine) as connection:
        config.attributes["connection"] = connection
        upgrade(config, "head")


def migration_config() -> Config:
    """Returns Alembic's settings; there is no ini file."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def revisions() -> list[str]:
    """Returns the revisions of the tables, oldest first: the numbers at the start of the
    migrations' names."""
    files = (MIGRATIONS / "versions").glob("[0-9]*.py")
    return sorted(file.name.partition("_")[0] for file in files)


def revision_of(engine: sa.Engine) -> str | None:
    """Returns the revision of the store's tables, or None if there are none."""
    if not sa.inspect(engine).has_table("alembic_version"):
        return None
    with engine.connect() as connection:
        revision: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        return revision


def wrong_tables(folder: Path, found: str | None) -> ArenaError:
    """Returns the error about a folder whose tables have another revision than this version's."""
    return ArenaError(Kind.WRONG_INPUT, _what_to_do(folder, found), "data")


def _what_to_do(folder: Path, found: str | None) -> str:
    known = revisions()
    if found is None:
        return f"The store of {folder} is empty: nothing has been set up there yet."
    if found in known:
        return (
            f"An older version of the arena created the data folder {folder}:"
            f" run `arena upgrade --data {folder}`, which makes a backup first."
        )
    if found < known[0]:
        return (
            f"A development version of the arena created the data folder {folder}"
            f" (tables {found}). It cannot be upgraded: use a new folder, or that version."
        )
    return (
        f"A newer version of the arena created the data folder {folder}"
        f" (tables {found}): install that version, or use another folder."
    )
