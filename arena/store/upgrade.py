"""Upgrades an older data folder to this version of the arena, keeping a backup.

Alembic is imported only where it is used: it takes as long to load as the rest of a command.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from arena.store.data_folder import DataFolder, WrongDataFolder
from arena.store.open import needs_upgrade
from arena.store.sqlite import replacing_tables, sqlite_engine

if TYPE_CHECKING:
    from alembic.config import Config


def upgrade_folder(data: DataFolder) -> Path | None:
    """Backs the store up and migrates it; returns the backup, or None if it is already current.

    Only for the process that holds the folder. Raises WrongDataFolder.
    """
    if not data.has_store():
        raise WrongDataFolder(f"There is no arena in {data.path}: name its folder with --data.")
    engine = sqlite_engine(data.database, read_only=False)
    try:
        revision = needs_upgrade(engine, data.path)
        if revision is None:
            return None
        backup = _backup(data.database, revision)
        migrate(engine)
        return backup
    finally:
        engine.dispose()


def _backup(database: Path, revision: str) -> Path:
    """Copies the database, including its write-ahead log. The copy gets its name only once it is
    complete."""
    backup = database.with_name(f"{database.name}.{revision}")
    unfinished = backup.with_name(f"{backup.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(0o600)
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(unfinished)) as new:
        old.backup(new)
    unfinished.replace(backup)
    return backup


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
    config.set_main_option("script_location", "arena.store:migrations")
    config.set_main_option("path_separator", "os")
    return config
