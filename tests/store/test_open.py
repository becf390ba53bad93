"""Opening a store, and the errors if that is impossible."""

from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, OperationalError

from arena.errors import Kind
from arena.store.open import Mode, check_store, open_store
from arena.store.schema import Bot, Version
from arena.store.session import Store
from tests.support.failing import failing


def pragma(store: Store, name: str) -> object:
    with store.writing() as session:
        return session.execute(sa.text(f"PRAGMA {name}")).scalar_one()


def test_what_is_committed_survives_a_power_cut(store: Store) -> None:
    assert pragma(store, "journal_mode") == "wal"
    assert pragma(store, "synchronous") == 2  # FULL
    assert pragma(store, "busy_timeout") == 10_000


def test_only_a_transaction_that_asks_for_it_does_not_wait_for_the_disk(store: Store) -> None:
    levels = []
    for durable in (True, False, True):
        with store.writing(durable=durable) as session:
            levels.append(session.scalar(sa.text("PRAGMA synchronous")))
    assert levels == [2, 1, 2]  # FULL, NORMAL, FULL


def test_no_number_of_readers_keeps_another_waiting(store: Store) -> None:
    """Threads that wait for a second connection while they have a first would wait for ever."""
    with ExitStack() as readers:
        for _ in range(50):
            session = readers.enter_context(store.reading())
            assert session.scalar(sa.text("SELECT 1")) == 1


def test_what_is_written_is_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    store = open_store(tmp_path, "write")
    with store.writing() as session:
        session.add(Bot(name="ann", owner="Ann"))
    store.close()
    again = open_store(tmp_path, "read")
    with again.reading() as session:
        bot = session.get_one(Bot, "ann")
    again.close()
    assert (bot.owner, bot.created_at.utcoffset().total_seconds()) == ("Ann", 0)


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    with suppress(ZeroDivisionError), store.writing() as session:
        session.add(Bot(name="ann", owner="Ann"))
        session.flush()
        1 / 0  # noqa: B018
    with store.reading() as session:
        assert session.get(Bot, "ann") is None


def test_a_row_cannot_speak_of_a_bot_that_does_not_exist(store: Store) -> None:
    with pytest.raises(IntegrityError), store.writing() as session:
        session.add(Version(digest="0" * 64, bot="nobody", number=1, manifest={}))


def test_readers_see_one_state_and_do_not_wait_for_the_writer(store: Store, tmp_path: Path) -> None:
    readers = open_store(tmp_path, "read")
    with readers.reading() as early, store.writing() as session:
        assert early.get(Bot, "ann") is None
        session.add(Bot(name="ann", owner="Ann"))
        session.flush()
        session.commit()
        assert early.get(Bot, "ann") is None
        with readers.reading() as late:
            assert late.get(Bot, "ann") is not None
    readers.close()


def test_a_store_opened_for_reading_cannot_be_written(store: Store, tmp_path: Path) -> None:
    readers = open_store(tmp_path, "read")
    with pytest.raises(OperationalError, match="readonly"), readers.writing() as session:
        session.add(Bot(name="ann", owner="Ann"))
    readers.close()


def test_an_empty_folder_has_nothing_to_read(tmp_path: Path) -> None:
    with failing(Kind.WRONG_INPUT, match=r"There is no arena in .*--data"):
        open_store(tmp_path / "nowhere", "read")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_damaged_store_is_named_with_what_to_do(tmp_path: Path, mode: Mode) -> None:
    open_store(tmp_path, "write").close()
    (tmp_path / "arena.sqlite3").write_bytes(b"no database" * 999)
    with failing(Kind.DAMAGED, match=r"arena.sqlite3 is damaged \(file is not a database"):
        open_store(tmp_path, mode)


def test_damage_that_is_met_later_is_named_too(tmp_path: Path) -> None:
    open_store(tmp_path, "write").close()
    file = tmp_path / "arena.sqlite3"
    empty = file.stat().st_size
    store = open_store(tmp_path, "write")
    with store.writing() as session:
        session.add_all(Bot(name=f"bot-{i}", owner="Ann") for i in range(2000))
    store.close()
    whole = file.read_bytes()
    rows = (len(whole) - empty) // 2
    file.write_bytes(whole[:-rows] + b"\xff" * rows)
    damaged = open_store(tmp_path, "read")
    with failing(Kind.DAMAGED, match="is damaged"), damaged.reading() as session:
        session.scalars(sa.select(Bot)).all()
    damaged.close()
    with failing(Kind.DAMAGED, match="is damaged"):
        check_store(tmp_path)


def test_a_store_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "arena.sqlite3").mkdir()
    for mode in ("read", "write"):
        with failing(Kind.WRONG_INPUT, match="cannot be opened"):
            open_store(tmp_path, mode)


def test_a_file_is_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("")
    for mode in ("read", "write"):
        with failing(Kind.WRONG_INPUT, match="notes cannot be a data folder"):
            open_store(tmp_path / "notes", mode)


def test_the_folder_may_have_an_odd_name(tmp_path: Path) -> None:
    odd = tmp_path / "100% mine? #1"
    open_store(odd, "write").close()
    open_store(odd, "read").close()
    assert (odd / "arena.sqlite3").exists()
