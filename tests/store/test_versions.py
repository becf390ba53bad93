"""A submission is stored unchanged, for ever."""

from pathlib import Path

import pytest

from arena.bots.references import find_version
from arena.bots.source.files import digest, file_entry, list_content
from arena.bots.source.image import Image
from arena.bots.source.tree import ContentError
from arena.errors import Kind
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.store.versions import add_version, drop_files, keep_files, keep_image
from tests.support.failing import failing

DIGESTS = ["a" * 64, "b" * 64]


def test_the_versions_of_a_bot_are_numbered(store: Store) -> None:
    with store.writing() as session:
        for digest_ in DIGESTS:
            add_version(session, bot="ann", owner="Ann", version=digest_, manifest={"name": "ann"})
        again = add_version(session, bot="ann", owner="Ann", version=DIGESTS[0], manifest={})
        assert (again.number, again.manifest) == (1, {"name": "ann"})
        next_one = add_version(session, bot="ann", owner="Ann", version="c" * 64, manifest={})
        assert next_one.number == 3


def test_nobody_takes_the_name_or_the_files_of_another(store: Store) -> None:
    with store.writing() as session:
        add_version(session, bot="ann", owner="Ann", version=DIGESTS[0], manifest={})
        with failing(Kind.TAKEN, match="The bot ann belongs to Ann"):
            add_version(session, bot="ann", owner="Bob", version=DIGESTS[1], manifest={})
        with failing(Kind.TAKEN, match="These files are version 1 of the bot ann"):
            add_version(session, bot="bob", owner="Bob", version=DIGESTS[0], manifest={})


def bot_folder(folder: Path) -> Path:
    (folder / "data").mkdir(parents=True)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "data" / "book.txt").write_text("7S")
    (folder / "link").symlink_to("data/book.txt")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "old.pyc").write_text("")
    return folder


def test_the_files_are_copied_without_what_does_not_count(tmp_path: Path) -> None:
    entries = list_content(bot_folder(tmp_path / "bot"))
    place = keep_files(DataFolder(tmp_path), digest(entries), entries)
    assert place == tmp_path / "versions" / digest(entries)
    assert digest(list_content(place)) == digest(entries)
    assert sorted(path.name for path in place.iterdir()) == ["data", "link", "run.sh"]
    assert (place / "run.sh").stat().st_mode & 0o777 == 0o555
    assert (place / "data" / "book.txt").stat().st_mode & 0o777 == 0o444
    assert keep_files(DataFolder(tmp_path), digest(entries), entries) == place
    assert [path.name for path in tmp_path.glob("copying-*")] == []


def test_a_single_file_is_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print(7)")
    entries = [file_entry(tmp_path / "bot.py")]
    place = keep_files(DataFolder(tmp_path), digest(entries), entries)
    assert [path.name for path in place.iterdir()] == ["bot.py"]


def test_files_that_change_while_they_are_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print(7)")
    entries = [file_entry(tmp_path / "bot.py")]
    before = digest(entries)
    (tmp_path / "bot.py").write_text("print(8)")
    with pytest.raises(ContentError, match="changed while they were read"):
        keep_files(DataFolder(tmp_path), before, entries)
    assert not (tmp_path / "versions" / before).exists()


def test_an_image_that_was_kept_without_its_archive_can_get_one(tmp_path: Path) -> None:
    data, version = DataFolder(tmp_path), "7" * 64
    archive = tmp_path / "mine.tar"
    archive.write_text("an archive")
    for given, has_one in ((None, False), (archive, True), (None, True), (archive, True)):
        keep_image(data, Image("mine", version, "mine", given))
        kept = find_version(data.versions, version)
        assert isinstance(kept, Image)
        assert (kept.archive is not None) is has_one
    assert kept.archive is not None
    assert kept.archive.read_text() == "an archive"
    assert [path.name for path in tmp_path.glob("copying-*")] == []
    drop_files(data, version)
    assert list(data.versions.iterdir()) == []
