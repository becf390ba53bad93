"""The migrations create exactly the tables that the code declares."""

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from arena.store.session import Store
from arena.store.tables import Base, Match


def test_a_migrated_store_has_the_tables_of_the_code(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_indexes_and_keys_are_those_of_the_code(store: Store) -> None:
    inspector = sa.inspect(store.engine)
    for table in Base.metadata.sorted_tables:
        found = {index["name"] for index in inspector.get_indexes(table.name)}
        assert found == {index.name for index in table.indexes}, table.name
        keys = {key["name"] for key in inspector.get_foreign_keys(table.name)}
        assert keys == {key.name for key in table.foreign_key_constraints}, table.name
        uniques = {unique["name"] for unique in inspector.get_unique_constraints(table.name)}
        declared = {c.name for c in table.constraints if isinstance(c, sa.UniqueConstraint)}
        assert uniques == declared, table.name


def test_every_table_can_be_made_in_postgresql() -> None:
    dialect = postgresql.dialect()
    for table in Base.metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=dialect))
    floats = str(CreateTable(Base.metadata.tables["ratings"]).compile(dialect=dialect))
    assert "mu DOUBLE PRECISION NOT NULL" in floats
    later = sa.select(Match).where(sa.tuple_(Match.finished_at, Match.id) < sa.tuple_("x", "y"))
    assert str(later.compile(dialect=dialect))
