"""Writes a new revision from the difference between the tables and the migrations so far:

    python -m arena.store.migrations.revise "what changes"

Review what it wrote, correct it, and commit it with the change to the tables.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic.command import revision

from arena.store.sqlite import sqlite_engine
from arena.store.upgrade import migrate, migration_config, revisions


def revise(message: str) -> None:
    """Adds a file to `versions`."""
    with TemporaryDirectory() as folder:
        engine = sqlite_engine(Path(folder) / "empty.sqlite3", read_only=False)
        migrate(engine)
        config = migration_config()
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            number = int(revisions()[-1]) + 1
            revision(config, message, autogenerate=True, rev_id=f"{number:04}")
        engine.dispose()


if __name__ == "__main__":
    revise(sys.argv[1])
