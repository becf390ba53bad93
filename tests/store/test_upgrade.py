"""An older data folder is upgraded, and its old contents are preserved."""

import shutil
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.command import upgrade

from arena.store.data_folder import DataFolder, WrongDataFolder
from arena.store.open import open_store, revisions
from arena.store.sqlite import sqlite_engine
from arena.store.tables import EARLIER_SENTENCE, Job, Ladder, Match, Version
from arena.store.upgrade import migrate, migration_config, upgrade_folder

AT = "2026-07-07 07:07:07"
OLD_LADDER: dict[str, dict[str, object]] = {
    "ladders": {
        "name": "main",
        "game": "xeri",
        "rules_version": 1,
        "options": '{"a": "1"}',
        "bank_ms": 1000,
        "increment_ms": 10,
        "seats": 2,
        "format": "single",
        "partners": "any",
        "draw_probability": 0.1,
        "fault_quota": 7,
        "state": "paused",
        "created_at": AT,
    },
    "jobs": {
        "id": "j",
        "ladder": "main",
        "body": r'{"job_id":"j","ladder":"main","bot":"\"ladder\":\"x"}',
        "token_hash": "",
        "state": "recorded",
        "attempts": 1,
        "reason": "",
        "created_at": AT,
        "sequence": 1,
    },
    "matches": {
        "id": "m",
        "job": "j",
        "number": 1,
        "attempt": 1,
        "ladder": "main",
        "game": "xeri",
        "rules_version": 1,
        "reason": "played-out",
        "rated": True,
        "digest": "",
        "started_at": AT,
        "finished_at": AT,
    },
}


@pytest.fixture
def old(tmp_path: Path) -> DataFolder:
    """A folder as the first version of the arena created it, with a bot."""
    data = DataFolder(tmp_path)
    engine = sqlite_engine(data.database, read_only=False)
    config = migration_config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        upgrade(config, "0001")
        connection.execute(sa.text("INSERT INTO bots VALUES ('ann', 'Ann', '2026-07-07 07:07:07')"))
        connection.execute(
            sa.text(
                "INSERT INTO versions VALUES"
                " ('d', 'ann', 1, '{}', 0, 0, 'active', '2026-07-07 07:07:07')"
            )
        )
    engine.dispose()
    return data


@pytest.mark.parametrize("mode", ["read", "write"])
def test_an_older_folder_is_not_opened_and_the_remedy_is_named(old: DataFolder, mode: str) -> None:
    with pytest.raises(WrongDataFolder, match=f"arena upgrade --data {old.path}"):
        open_store(old.path, mode)  # type: ignore[arg-type]


def test_an_upgraded_folder_has_what_it_had(old: DataFolder) -> None:
    backup = upgrade_folder(old)
    assert backup == old.path / "arena.sqlite3.0001"
    store = open_store(old.path, "read")
    with store.reading() as session:
        version = session.get_one(Version, "d")
        assert (version.bot, version.size) == ("ann", 0)
    store.close()
    assert upgrade_folder(old) is None


def test_what_bots_said_at_old_faults_becomes_private(tmp_path: Path) -> None:
    engine = sqlite_engine(tmp_path / "old", read_only=False)
    config = migration_config()
    with engine.begin() as connection:
        connection.execute(sa.text("PRAGMA defer_foreign_keys = ON"))
        config.attributes["connection"] = connection
        upgrade(config, "0004")
        for seat, fault in enumerate(
            ("'crashed', 3, 'It ended. Its last output: x'", "NULL, 0, NULL")
        ):
            connection.execute(
                sa.text(
                    f"INSERT INTO match_seats VALUES ('m', {seat}, 'd', 'ann', 0, 0, 1, {fault})"
                )
            )
        upgrade(config, "0005")
        rows = connection.execute(
            sa.text("SELECT fault_sentence, fault_words FROM match_seats ORDER BY seat")
        ).fetchall()
        connection.rollback()
    engine.dispose()
    assert rows == [(EARLIER_SENTENCE, "It ended. Its last output: x"), (None, None)]


def test_a_ladder_becomes_a_competition_with_its_jobs_and_matches(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    engine = sqlite_engine(data.database, read_only=False)
    config = migration_config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        upgrade(config, "0005")
        for table, row in OLD_LADDER.items():
            names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
            connection.execute(sa.text(f"INSERT INTO {table} ({names}) VALUES ({values})"), row)
    engine.dispose()
    upgrade_folder(data)
    store = open_store(tmp_path, "write")
    with store.reading() as session:
        ladder = session.get_one(Ladder, "main")
        assert (ladder.kind, ladder.game, ladder.state) == ("ladder", "xeri", "paused")
        assert (ladder.options, ladder.draw_probability, ladder.fault_quota) == ({"a": "1"}, 0.1, 7)
        job = session.get_one(Job, "j")
        assert (job.competition, job.sequence) == ("main", 1)
        assert job.body == r'{"job_id":"j","competition":"main","bot":"\"ladder\":\"x"}'
        assert session.get_one(Match, "m").competition == "main"
    for wrong, why in (("main", "UNIQUE"), ("nowhere", "FOREIGN KEY")):
        with pytest.raises(sa.exc.IntegrityError, match=why), store.writing() as session:
            session.add(Job(id="other", competition=wrong, body="", token_hash="", sequence=1))
    store.close()


def test_a_store_with_a_lost_row_is_not_upgraded(old: DataFolder) -> None:
    engine = sqlite_engine(old.database, read_only=False)
    with sqlite3.connect(old.database) as connection:
        connection.execute("DELETE FROM bots")
    connection.close()
    with pytest.raises(
        WrongDataFolder, match="row 1 of the table versions refers to a row of bots that is missing"
    ):
        migrate(engine)
    with engine.connect() as found:
        assert found.scalar(sa.text("SELECT version_num FROM alembic_version")) == "0001"
        assert found.scalar(sa.text("PRAGMA foreign_keys")) == 1
    engine.dispose()


def test_the_backup_is_the_folder_as_it_was(old: DataFolder) -> None:
    backup = upgrade_folder(old)
    assert backup is not None
    shutil.copyfile(backup, old.database)
    old.database.with_name("arena.sqlite3-wal").unlink(missing_ok=True)
    connection = sqlite3.connect(old.database)
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
    assert connection.execute("SELECT name FROM bots").fetchall() == [("ann",)]
    connection.close()
    assert upgrade_folder(old) == backup


def test_there_must_be_something_to_upgrade(tmp_path: Path) -> None:
    with pytest.raises(WrongDataFolder, match="There is no arena in"):
        upgrade_folder(DataFolder(tmp_path / "nowhere"))
    assert not (tmp_path / "nowhere").exists()


def test_each_step_from_the_first_has_a_number(tmp_path: Path) -> None:
    assert revisions() == [f"{number:04}" for number in range(1, len(revisions()) + 1)]
