"""Data folders of the first release, from which `arena upgrade` can start."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic.command import upgrade

from arena.store.data_folder import DataFolder
from arena.store.sqlite import sqlite_engine
from arena.store.upgrade import migration_config, revisions

NOT_COPIED = ("alembic_version",)
NAMES = "SELECT name FROM {}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"


def make_first_release(data: DataFolder) -> None:
    """Gives a store that no arena uses the tables of the first release, with the rows and columns
    that it knew."""
    old = data.database.with_name("first.sqlite3")
    _create_tables(old)
    with closing(sqlite3.connect(old)) as store, store:
        store.execute("ATTACH ? AS new", [str(data.database)])
        for (table,) in store.execute(NAMES.format("main")).fetchall():
            if table not in NOT_COPIED:
                columns = ", ".join(_columns(store, "main", table) & _columns(store, "new", table))
                store.execute(f"DELETE FROM main.{table}")
                store.execute(
                    f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}"
                )
    for ending in ("-wal", "-shm"):
        data.database.with_name(f"{data.database.name}{ending}").unlink(missing_ok=True)
    old.replace(data.database)


def _create_tables(file: Path) -> None:
    engine = sqlite_engine(file, read_only=False)
    config = migration_config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        upgrade(config, revisions()[0])
    engine.dispose()


def _columns(store: sqlite3.Connection, schema: str, table: str) -> set[str]:
    found = store.execute(f"SELECT name FROM {schema}.pragma_table_info(?)", [table])
    return {f'"{name}"' for (name,) in found}
