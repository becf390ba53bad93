"""A PostgreSQL server for the tests, reached by a Unix socket in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import sqlalchemy as sa

UNPRIVILEGED = "nobody"  # PostgreSQL refuses to run as root


@cache
def server_program() -> str | None:
    """Returns the path of `pg_ctl`, which Debian does not put on the PATH; None without it."""
    places = Path("/usr/lib/postgresql").glob("*/bin")
    return shutil.which("pg_ctl", path=os.pathsep.join([os.environ["PATH"], *map(str, places)]))


@contextmanager
def running_postgresql() -> Iterator[sa.URL]:
    """Runs a server with an empty database; yields its address."""
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="postgresql-") as name:
        if user is not None:
            os.chown(name, pwd.getpwnam(user).pw_uid, -1)
        folder = Path(name)

        def control(*words: str) -> None:
            command = [str(server_program()), *words, "--silent", "-D", str(folder / "data")]
            subprocess.run(command, check=True, user=user, cwd=folder, stdin=subprocess.DEVNULL)

        control("initdb", "-o", "--username=arena --encoding=UTF8 --locale=C --no-sync")
        settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        control("start", "-o", settings, "--log", str(folder / "log"))
        try:
            yield sa.URL.create("postgresql+psycopg", "arena", host=name, database="postgres")
        finally:
            control("stop", "--mode=immediate")
