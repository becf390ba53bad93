"""Opens the store of a data folder, if its tables are those of this version of the arena."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import sqlalchemy as sa
from alembic.command import upgrade
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from arena.store.folder import DataFolder
from arena.store.sqlite import sqlite_engine
from arena.store.store import Store

Mode = Literal["read", "write"]


class WrongDataFolder(Exception):
    """The data folder has no store that this version can use. Its text says what to do."""


def open_store(folder: Path, mode: Mode, url: str | None = None) -> Store:
    """The store of a data folder: its SQLite file, or the PostgreSQL database at `url`.

    To write, it is made if it is not there. Raises WrongDataFolder.
    """
    data = DataFolder(folder)
    if url is not None:
        return _checked(sa.create_engine(url), folder, mode)
    if mode == "read" and not data.database.exists():
        raise WrongDataFolder(
            f"There is no arena in {folder}: give the data folder of one with --data, "
            "or start one there with `arena demo` or `arena ladder create`."
        )
    if mode == "write":
        folder.mkdir(parents=True, exist_ok=True)
    return _checked(sqlite_engine(data.database, read_only=mode == "read"), folder, mode)


def migrate(engine: sa.Engine) -> None:
    """Brings the tables to this version, from none or an older one."""
    config = migration_config()
    with engine.execution_options(writes=True).begin() as connection:
        config.attributes["connection"] = connection
        upgrade(config, "head")


def _checked(engine: sa.Engine, folder: Path, mode: Mode) -> Store:
    scripts = ScriptDirectory.from_config(migration_config())
    found = _revision(engine)
    if found is None and mode == "write":
        migrate(engine)
    elif found != scripts.get_current_head():
        engine.dispose()
        raise WrongDataFolder(_what_to_do(folder, found, scripts))
    return Store(engine)


def _revision(engine: sa.Engine) -> str | None:
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _what_to_do(folder: Path, found: str | None, scripts: ScriptDirectory) -> str:
    if found is None:
        return f"The store of {folder} is empty: nothing has been set up there yet."
    if found in {script.revision for script in scripts.walk_revisions()}:
        return (
            f"The data folder {folder} was made by an older version of the arena: "
            f"run `arena upgrade --data {folder}`, which makes a backup first."
        )
    return (
        f"The data folder {folder} was made by a newer version of the arena "
        f"(tables {found}): install that version, or use another folder."
    )


def migration_config() -> Config:
    """Alembic's settings: there is no ini file."""
    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    config.set_main_option("path_separator", "os")
    return config
