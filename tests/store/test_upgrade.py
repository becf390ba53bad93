"""An older data folder is upgraded, and its old contents are preserved."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.store import upgrade as upgrade_module
from arena.store.data_folder import DataFolder
from arena.store.open import Mode, open_store
from arena.store.schema import Version
from arena.store.sqlite import sqlite_engine
from arena.store.upgrade import migrate, revisions, upgrade_folder
from arena.store.versions import add_version
from tests.support.failing import failing

THIS = revisions()[-1]
NEXT = f"{int(THIS) + 1:04}"
NEXT_MIGRATION = f'''
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{NEXT}", "{THIS}"


def upgrade() -> None:
    with op.batch_alter_table("bots", recreate="always") as bots:
        bots.add_column(sa.Column("motto", sa.String, nullable=False, server_default="none"))
'''


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A folder of this version of the arena, with a bot."""
    data = DataFolder(tmp_path / "data")
    store = open_store(data.path, "write")
    with store.writing() as session:
        add_version(session, bot="ann", owner="Ann", version="d", manifest={})
    store.close()
    return data


@pytest.fixture
def old(folder: DataFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> DataFolder:
    """A folder of the version before: ours has a migration more, which replaces a table to which
    rows of others refer."""
    migrations = tmp_path / "100% ours" / "migrations"
    shutil.copytree(upgrade_module.MIGRATIONS, migrations)
    (migrations / "versions" / f"{NEXT}_mottoes.py").write_text(NEXT_MIGRATION)
    monkeypatch.setattr(upgrade_module, "MIGRATIONS", migrations)
    return folder


def pretend_revision(folder: DataFolder, revision: str) -> None:
    with closing(sqlite3.connect(folder.database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [revision])


def bots_of(database: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT * FROM bots").fetchall()


@pytest.mark.parametrize("mode", ["read", "write"])
def test_an_older_folder_is_not_opened_and_the_remedy_is_named(old: DataFolder, mode: Mode) -> None:
    with failing(Kind.WRONG_INPUT, match=f"arena upgrade --data {old.path}"):
        open_store(old.path, mode)


def test_an_upgraded_folder_has_what_it_had(old: DataFolder) -> None:
    [before] = bots_of(old.database)
    assert upgrade_folder(old) == old.path / f"arena.sqlite3.{THIS}"
    assert bots_of(old.database) == [(*before, "none")]
    store = open_store(old.path, "read")
    with store.reading() as session:
        assert session.get_one(Version, "d").bot == "ann"
    store.close()
    assert upgrade_folder(old) is None


def test_a_store_with_a_lost_row_is_not_upgraded(old: DataFolder) -> None:
    with closing(sqlite3.connect(old.database)) as connection, connection:
        connection.execute("DELETE FROM bots")
    engine = sqlite_engine(old.database, read_only=False)
    with failing(
        Kind.WRONG_INPUT,
        match="row 1 of the table versions refers to a row of bots that is missing",
    ):
        migrate(engine)
    with engine.connect() as found:
        assert found.scalar(sa.text("SELECT version_num FROM alembic_version")) == THIS
        assert found.scalar(sa.text("PRAGMA foreign_keys")) == 1
    engine.dispose()


def test_the_backup_is_the_folder_as_it_was(old: DataFolder) -> None:
    before = bots_of(old.database)
    backup = upgrade_folder(old)
    assert backup is not None
    shutil.copyfile(backup, old.database)
    old.database.with_name("arena.sqlite3-wal").unlink(missing_ok=True)
    assert bots_of(old.database) == before
    assert upgrade_folder(old) == backup


@pytest.mark.parametrize(
    ("revision", "sentence"),
    [
        ("0007", r"A development version .* \(tables 0007\)\. It cannot be upgraded: use a new"),
        (NEXT, rf"A newer version .* \(tables {NEXT}\): install that version"),
        ("9999", r"A newer version .* \(tables 9999\): install that version"),
    ],
)
def test_a_folder_of_an_unknown_version_is_left_alone(
    folder: DataFolder, revision: str, sentence: str
) -> None:
    pretend_revision(folder, revision)
    before = folder.database.read_bytes()
    with failing(Kind.WRONG_INPUT, match=sentence):
        upgrade_folder(folder)
    for mode in ("read", "write"):
        with failing(Kind.WRONG_INPUT, match=sentence):
            open_store(folder.path, mode)
    assert folder.database.read_bytes() == before
    assert {path.name for path in folder.path.iterdir()} == {"arena.sqlite3"}


def test_there_must_be_something_to_upgrade(tmp_path: Path) -> None:
    with failing(Kind.WRONG_INPUT, match="There is no arena in"):
        upgrade_folder(DataFolder(tmp_path / "nowhere"))
    assert not (tmp_path / "nowhere").exists()
