"""Migrates the tables of a store to this version of the arena, with Alembic."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.command import upgrade
from alembic.config import Config


def migrate(engine: sa.Engine) -> None:
    """Creates the tables, or migrates older ones to this version."""
    config = migration_config()
    with engine.execution_options(writes=True).begin() as connection:
        config.attributes["connection"] = connection
        upgrade(config, "head")


def migration_config() -> Config:
    """Returns Alembic's settings; there is no ini file."""
    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    config.set_main_option("path_separator", "os")
    return config
