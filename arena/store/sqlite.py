"""SQLite's peculiarities: opening its files and beginning its transactions."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from arena.disk import full_disk, is_full
from arena.errors import ArenaError, Kind

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
BUSY_MS = 10_000
# With less room than this, a failed write means a full disk, whatever SQLite calls it.
ROOM_BYTES = 1 << 20


def sqlite_engine(file: Path, *, read_only: bool) -> sa.Engine:
    """Returns an engine on a database file, which only its owner may read.

    Readers never wait for the writer, nor it for them (WAL). Committed data survive a power cut
    (FULL), except those of transactions with the option `durable=False` (NORMAL). If the file is
    damaged, any use of the engine raises ArenaError; if its disk is full, DiskFull: the
    transaction then has not happened, and may be tried again.
    """
    mode = "ro" if read_only else "rw"
    if not read_only:
        _create(file)
    place = f"file:{quote(str(file.absolute()))}"
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=place, query={"mode": mode, "uri": "true"}),
        # No bound: a thread may need a second one, for which it would wait while it has the first.
        max_overflow=-1,
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions by itself
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute("PRAGMA foreign_keys = ON")
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")

    @sa.event.listens_for(engine, "handle_error")
    def explain(context: sa.engine.ExceptionContext) -> None:
        error = context.original_exception
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in DAMAGED:
            raise ArenaError(Kind.DAMAGED, damaged(file, error), "data")
        if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and not _has_room(file)):
            raise full_disk(file.parent)

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("writes"):
            connection.exec_driver_sql("BEGIN")
            return
        level = "FULL" if options.get("durable", True) else "NORMAL"
        connection.exec_driver_sql(f"PRAGMA synchronous = {level}")
        # A transaction that reads before it writes would fail if another wrote in between.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


@contextmanager
def replacing_tables(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction in which tables may be dropped and created again under the rows that refer to
    them, which is how SQLite changes a table. Raises ArenaError, and changes nothing, if a row
    then refers to one that is missing.

    Source: https://www.sqlite.org/lang_altertable.html#otheralter
    """
    with engine.execution_options(writes=True).connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute("PRAGMA foreign_keys = OFF")  # has no effect inside a transaction
        try:
            with connection.begin():
                yield connection
                lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                if lost is not None:
                    raise ArenaError(
                        Kind.WRONG_INPUT,
                        f"In the store, row {lost[1]} of the table {lost[0]} refers to a row of"
                        f" {lost[2]} that is missing: put a backup of the data folder back.",
                        "data",
                    )
        finally:
            driver.execute("PRAGMA foreign_keys = ON")


def _create(file: Path) -> None:
    """Creates an empty database file if there is none. SQLite gives its mode to the files that it
    creates next to it."""
    with suppress(OSError):  # SQLite's error is clearer
        file.touch(0o600)


def _has_room(file: Path) -> bool:
    disk = os.statvfs(file.parent)
    if disk.f_bavail * disk.f_frsize < ROOM_BYTES:
        return False
    try:  # only writing reveals a quota
        with tempfile.TemporaryFile(dir=file.parent) as trial:
            os.posix_fallocate(trial.fileno(), 0, ROOM_BYTES)
    except OSError as error:
        return not is_full(error)
    return True


def damaged(file: Path, how: object) -> str:
    """Returns advice about a damaged file."""
    return (
        f"The store {file} is damaged ({how}): put a copy of the file back, or save what can be"
        f" saved with `sqlite3 {file} .recover`."
    )
