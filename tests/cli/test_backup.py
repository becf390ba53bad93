"""`arena backup` and `arena restore`, of a data folder on which three matches were played."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

import arena.backup.create as create
from arena.backup.contents import Manifest, StoredFile, described
from arena.store.data_folder import DataFolder
from arena.store.delete_bot import forget_bot
from arena.store.open import open_store
from arena.store.texts import packed
from arena.store.upgrade import copy_database
from arena.store.versions import versions_with_files
from tests.support.command_line import Arena

TARGETS = ("copy", "copy.tar")
NEW = ("--data", "new")


def backed_up(arena: Arena, target: str) -> None:
    done = arena("backup", target)
    assert (done.code, f"The backup {target} is complete" in done.out) == (0, True), done.err


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_backed_up_is_restored(arena: Arena, data: Path, target: str) -> None:
    assert arena("ratings", "main", "--rebuild").code == 0  # with the fit, as a restored one
    (data / "logs").mkdir()
    (data / "logs" / "worker-1.log").write_text("a line")
    (data / "versions" / "link").mkdir()  # no version: not copied
    store = open_store(data, "write")  # held open, as by a running arena
    backed_up(arena, target)
    store.close()
    restored = arena("restore", target, *NEW, "--json").json
    assert (restored["records"], restored["ladders"], restored["versions"]) == (3, 1, 2)
    new, old = DataFolder(Path("new")), DataFolder(data)
    assert {path.name for path in new.path.iterdir()} <= {
        *("arena.lock", "arena.sqlite3", "versions", "logs", "queue.key", "pages.key")
    }
    for command in (("ratings", "main"), ("matches",), ("ladder", "show", "main")):
        told = arena(*command, "--json", "--data", data)
        assert arena(*command, "--json", *NEW).json == told.json
    for digest in versions(old):
        program = next(old.version(digest).glob("*.py"))
        assert described(program) == described(new.version(digest) / program.name)
    assert (new.logs / "worker-1.log").read_text() == "a line"
    assert new.path.stat().st_mode & 0o077 == 0
    assert new.database.stat().st_mode & 0o077 == 0


def versions(data: DataFolder) -> dict[str, str]:
    store = open_store(data.path, "read")
    with store.reading() as session:
        found = versions_with_files(session)
    store.close()
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_a_backup_is_no_more_readable_than_the_data_folder(
    arena: Arena, data: Path, target: str
) -> None:
    backed_up(arena, target)
    assert Path(target).stat().st_mode & 0o077 == 0


def test_a_backup_replaces_nothing_and_an_arena_is_not_overwritten(
    arena: Arena, data: Path
) -> None:
    backed_up(arena, "copy")
    assert arena("backup", "copy", "--json").error["field"] == "target"
    inside = arena("backup", data / "logs" / "copy", "--json")
    assert "in a folder that is copied" in inside.error["sentence"]
    for folder, why in (
        (str(data), "has an arena"),
        ("copy", "has an arena"),
        ("full", "is not empty"),
    ):
        Path("full").mkdir(exist_ok=True)
        Path("full", "notes.md").write_text("mine")
        told = arena("restore", "copy", "--data", folder, "--json")
        assert (told.code, told.error["field"]) == (2, "data")
        assert why in told.error["sentence"]
    assert Path("full", "notes.md").read_text() == "mine"
    nothing = arena("restore", "nowhere", *NEW, "--json")
    assert nothing.error["sentence"] == "There is no backup nowhere."
    empty = arena("backup", "other", "--data", "nowhere", "--json")
    assert "There is no arena in nowhere" in empty.error["sentence"]
    assert not Path("other.unfinished").exists()


# Damaged backups ----------------------------------------------------------------------------------


def changed_byte(copy: Path) -> None:
    content = bytearray((copy / "arena.sqlite3").read_bytes())
    content[len(content) // 2] ^= 1
    (copy / "arena.sqlite3").write_bytes(content)


def changed_manifest(copy: Path) -> None:
    document = json.loads((copy / "manifest.json").read_text())
    document["arena"] = "9.9.9"
    (copy / "manifest.json").write_text(json.dumps(document))


def of_other_tables(copy: Path) -> None:
    sealed(copy, tables="9999")


def sealed(copy: Path, **fields: object) -> None:
    """Writes the manifest of the files that are there, as somebody would who changed them."""
    manifest = Manifest.model_validate_json((copy / "manifest.json").read_bytes())
    files: dict[str, StoredFile] = {name: described(copy / name) for name in manifest.files}
    new = manifest.model_copy(update={"files": files, **fields}).sealed()
    (copy / "manifest.json").write_text(new.model_dump_json())


def changed(copy: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(copy / "arena.sqlite3")
    connection.execute(statement, values)
    connection.commit()
    connection.close()
    sealed(copy)


def without_a_version(copy: Path) -> None:
    manifest = Manifest.model_validate_json((copy / "manifest.json").read_bytes())
    digest = next(iter(versions(DataFolder(copy))))
    kept = {name: one for name, one in manifest.files.items() if digest not in name}
    new = manifest.model_copy(update={"files": kept}).sealed()
    (copy / "manifest.json").write_text(new.model_dump_json())
    shutil.rmtree(copy / "versions" / digest)


DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (lambda copy: (copy / "manifest.json").unlink(), "was cut short or is no backup"),
    (lambda copy: (copy / "manifest.json").write_text("{"), "its manifest.json is damaged"),
    (changed_manifest, "its manifest.json was changed"),
    (changed_byte, "its file arena.sqlite3 was changed"),
    (lambda copy: (copy / "arena.sqlite3").unlink(), "it has no file arena.sqlite3"),
    (lambda copy: (copy / "more").write_text(""), "it has an additional file more"),
    (of_other_tables, "restore it with that version"),
    (
        lambda copy: changed(copy, "UPDATE ratings SET mu = mu + 1"),
        "do not follow from its matches",
    ),
    (
        lambda copy: changed(copy, "UPDATE records SET body = ?", packed("{}")),
        "the record of match",
    ),
    (
        lambda copy: changed(copy, "UPDATE match_seats SET score = score + 1"),
        "The store's table has",
    ),
    (
        lambda copy: changed(copy, "UPDATE private_logs SET body = x'00'"),
        "the private log of match",
    ),
    (without_a_version, "it has no files of"),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGE, ids=[words for _, words in DAMAGE])
def test_a_damaged_or_forged_backup_is_refused_and_nothing_is_left(
    arena: Arena, data: Path, damage: Callable[[Path], object], words: str
) -> None:
    backed_up(arena, "copy")
    damage(Path("copy"))
    Path("empty").mkdir()
    for folder in ("new", "empty"):
        told = arena("restore", "copy", "--data", folder, "--json")
        assert (told.code, told.out) == (2, ""), told.err
        assert words in told.error["sentence"]
        assert told.error["field"] == "backup"
    assert not Path("new").exists()
    assert not list(Path("empty").iterdir())


def test_an_archive_that_was_cut_short_is_refused_wherever_it_ends(
    arena: Arena, data: Path
) -> None:
    backed_up(arena, "copy.tar")
    whole = Path("copy.tar").read_bytes()
    with tarfile.open("copy.tar") as archive:
        [last] = [one for one in archive if one.name == "manifest.json"]
    for end in (0, 1, 512, len(whole) // 2, last.offset, last.offset_data + 10):
        Path("short.tar").write_bytes(whole[:end])
        told = arena("restore", "short.tar", *NEW, "--json")
        assert told.code == 2, end
        assert "cannot be restored" in told.error["sentence"]
        assert not Path("new").exists()


def test_an_archive_writes_nothing_outside_the_new_folder(arena: Arena, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    refusals = {
        "../outside/new": "its member '../outside/new' leads out of it",
        f"{outside}/new": f"its member '{outside}/new' leads out of it",
        "a/../../outside/new": "its member 'a/../../outside/new' leads out of it",
        "file": "its member 'file' is where another one is",
        "link": "its member 'link' is where another one is",
        "link/new": "its member 'link' is where another one is",
        "pipe": "its member 'pipe' is neither a file nor a link",
    }
    for name, sentence in refusals.items():
        write_archive(Path("evil.tar"), name, link=str(outside))
        told = arena("restore", "evil.tar", *NEW, "--json")
        assert (told.code, sentence in told.error["sentence"]) == (2, True), told.err
        assert not Path("new").exists()
    assert not list(outside.iterdir())


def write_archive(file: Path, name: str, *, link: str) -> None:
    with tarfile.open(file, "w") as archive:
        for kind, member in (("file", "file"), ("link", "link"), ("added", name)):
            header = tarfile.TarInfo(member)
            if kind == "link":
                header.type, header.linkname = tarfile.SYMTYPE, link
            if member == "pipe":
                header.type = tarfile.FIFOTYPE
            archive.addfile(header)


def test_a_backup_with_a_link_that_leads_out_is_refused(arena: Arena, data: Path) -> None:
    backed_up(arena, "copy")
    link = Path("copy/played/secret")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to("../../outside")
    manifest = Manifest.model_validate_json(Path("copy/manifest.json").read_bytes())
    sealed(Path("copy"), files=manifest.files | {"played/secret": described(link)})
    told = arena("restore", "copy", *NEW, "--json")
    assert "its link played/secret leads out of it" in told.error["sentence"]


def damage_an_index(database: Path) -> None:
    connection = sqlite3.connect(database)
    find = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND name LIKE 'ix_match_seats%'"
    [page] = connection.execute(find).fetchone()
    [size] = connection.execute("PRAGMA page_size").fetchone()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_a_damaged_store_is_neither_backed_up_nor_restored(arena: Arena, data: Path) -> None:
    backed_up(arena, "copy")
    for store in (data / "arena.sqlite3", Path("copy/arena.sqlite3")):
        damage_an_index(store)
    told = arena("backup", "other", "--json")
    assert (told.code, told.error["field"]) == (2, "data")
    assert "is damaged, so no backup was made" in told.error["sentence"]
    sealed(Path("copy"))
    told = arena("restore", "copy", *NEW, "--json")
    assert "copy cannot be restored: its store is damaged" in told.error["sentence"]
    assert not Path("other").exists()
    assert not Path("new").exists()


# A store that changes meanwhile -------------------------------------------------------------------


def test_a_bot_deleted_meanwhile_is_in_no_backup(
    arena: Arena, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = DataFolder(data)
    copies: list[Path] = []

    def copied_before_a_deletion(database: Path, copy: Path) -> None:
        copy_database(database, copy)
        copies.append(copy)
        if len(copies) == 1:
            store = open_store(data, "write")
            forget_bot(store, folder, "random")
            store.close()

    monkeypatch.setattr(create, "copy_database", copied_before_a_deletion)
    monkeypatch.setattr(create, "PAUSE_S", 0.0)
    backed_up(arena, "copy")
    assert len(copies) == 2
    assert arena("restore", "copy", *NEW, "--json").json["versions"] == 1


def test_a_version_without_files_is_named(
    arena: Arena, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(create, "PAUSE_S", 0.0)
    digest, name = next(iter(versions(DataFolder(data)).items()))
    shutil.rmtree(data / "versions" / digest)
    told = arena("backup", "copy", "--json")
    assert told.code == 2
    assert f"The files of {name} are missing" in told.error["sentence"]
    assert not list(Path().glob("copy*"))
