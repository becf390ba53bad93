"""The migrations create the tables that the code declares, in both databases."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.command import upgrade
from alembic.runtime.migration import MigrationContext
from sqlalchemy.orm import Session

from arena.store.queries import field_revision
from arena.store.schema import Base, Bot, Revision, Role, table_of
from arena.store.session import upsert_rows
from arena.store.sqlite import sqlite_engine
from arena.store.tokens import create_token
from arena.store.upgrade import migration_config, revisions
from tests.support.postgresql import running_postgresql

AT = datetime(2026, 7, 7, 7, 7, 7, 7, UTC)


@pytest.fixture(
    scope="module",
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))],
)
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[sa.Engine]:
    """A database with the tables that the migrations create."""
    if request.param == "sqlite":
        file: Path = tmp_path_factory.mktemp("store") / "arena.sqlite3"
        yield from migrated(sqlite_engine(file, read_only=False).execution_options(writes=True))
    else:
        with running_postgresql() as url:
            # Its sessions have a time zone, which ours must not depend on.
            options = {"options": "-c TimeZone=Asia/Kathmandu"}
            yield from migrated(sa.create_engine(url, connect_args=options))


def migrated(engine: sa.Engine) -> Iterator[sa.Engine]:
    config = migration_config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        upgrade(config, "head")
    yield engine
    engine.dispose()


def test_a_migrated_store_has_the_tables_of_the_code(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_indexes_and_keys_are_those_of_the_code(engine: sa.Engine) -> None:
    inspector = sa.inspect(engine)
    for table in Base.metadata.sorted_tables:
        uniques = {unique["name"] for unique in inspector.get_unique_constraints(table.name)}
        declared = {c.name for c in table.constraints if isinstance(c, sa.UniqueConstraint)}
        assert uniques == declared, table.name
        found = {index["name"] for index in inspector.get_indexes(table.name)}
        # PostgreSQL lists the index behind a unique constraint as well.
        assert found - uniques == {index.name for index in table.indexes}, table.name
        keys = {key["name"] for key in inspector.get_foreign_keys(table.name)}
        assert keys == {key.name for key in table.foreign_key_constraints}, table.name


def test_the_database_counts_changes_of_who_may_be_paired(engine: sa.Engine) -> None:
    with Session(engine) as session:
        before = field_revision(session)
        create_token(session, "Rae", Role.READER)
        assert field_revision(session) == before
        create_token(session, "Ann", Role.OWNER)
        assert field_revision(session) == before + 1
        session.add(Bot(name="ann", owner="Ann"))
        session.flush()
        session.execute(sa.update(Bot).values(owner="Bob"))
        assert field_revision(session) == before + 2


def test_a_time_comes_back_in_utc(engine: sa.Engine) -> None:
    with Session(engine) as session:
        session.add(Bot(name="ann", owner="Ann", created_at=AT))
        session.flush()
        session.expire_all()
        found = session.get_one(Bot, "ann").created_at
    assert (found, found.tzinfo) == (AT, UTC)


def test_a_row_is_inserted_and_then_changed(engine: sa.Engine) -> None:
    table = table_of(Revision)
    with Session(engine) as session:
        for number in (7, 70):
            rows = [{"name": "other", "number": number}]
            upsert_rows(session, table, rows, lambda column, new: column + new)
        upsert_rows(session, table, [], lambda column, new: new)
        assert session.get_one(Revision, "other").number == 77


def test_each_migration_has_the_number_after_the_one_before() -> None:
    first = int(revisions()[0])
    assert revisions() == [f"{first + place:04}" for place in range(len(revisions()))]
