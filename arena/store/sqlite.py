"""SQLite's peculiarities: opening its files and beginning its transactions."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from arena.store.data_folder import WrongDataFolder

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
BUSY_MS = 10_000


def sqlite_engine(file: Path, *, read_only: bool) -> sa.Engine:
    """Returns an engine on a database file, which only its owner may read.

    Readers never wait for the writer, nor it for them (WAL); committed data survive a power cut
    (FULL). If the file is damaged, any use of the engine raises WrongDataFolder.
    """
    mode = "ro" if read_only else "rw"
    if not read_only:
        _create(file)
    place = f"file:{quote(str(file.absolute()))}"
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=place, query={"mode": mode, "uri": "true"})
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions by itself
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute("PRAGMA foreign_keys = ON")
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")

    @sa.event.listens_for(engine, "handle_error")
    def explain(context: sa.engine.ExceptionContext) -> None:
        error = context.original_exception
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED:
            raise WrongDataFolder(damaged(file, error))

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        # A transaction that reads before it writes would fail if another wrote in between.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _create(file: Path) -> None:
    """Creates an empty database file if there is none. SQLite gives its mode to what it puts next
    to it."""
    with suppress(OSError):  # SQLite says it better
        file.touch(0o600)


def damaged(file: Path, how: object) -> str:
    """Returns advice about a damaged file."""
    return (
        f"The store {file} is damaged ({how}): put a copy of the file back, or save what can be"
        f" saved with `sqlite3 {file} .recover`."
    )
