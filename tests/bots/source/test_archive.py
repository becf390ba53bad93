"""Packing and unpacking restore a bot exactly; archives from strangers do no harm."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest

from arena.bots.source import archive
from arena.bots.source.archive import ArchiveError, pack, pack_to_submit, unpack
from arena.bots.source.files import digest, list_content

Change = Callable[[tarfile.TarInfo], None]


def bot(folder: Path) -> Path:
    (folder / "data" / "deep").mkdir(parents=True)
    (folder / "bot.toml").write_text('name = "good"\nrun = ["./run.sh"]\n')
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "data" / f"{'long' * 40}.txt").write_bytes(os.urandom(100_000))
    (folder / "data" / "Καλημέρα.txt").write_text("")
    (folder / "data" / "deep" / "link").symlink_to("../../run.sh")
    return folder


def packed(folder: Path) -> bytes:
    file = io.BytesIO()
    pack(list_content(folder), file)
    return file.getvalue()


def unpacked(content: bytes, tmp_path: Path) -> Path:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    unpack(io.BytesIO(content), folder)
    return folder


def member(name: str, **fields: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def tar(*members: tarfile.TarInfo, format: int = tarfile.PAX_FORMAT) -> bytes:
    """Returns an archive of members whose contents are zeros."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz", format=format) as made:
        for one in members:
            made.addfile(one, io.BytesIO(b"\0" * one.size))
    return file.getvalue()


def refusal(content: bytes, tmp_path: Path) -> str:
    with pytest.raises(ArchiveError) as refused:
        unpacked(content, tmp_path)
    return str(refused.value)


def test_what_is_unpacked_is_what_was_packed(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot")
    content = packed(folder)
    assert digest(list_content(unpacked(content, tmp_path))) == digest(list_content(folder))


def test_the_same_files_make_the_same_archive(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot")
    before = packed(folder)
    os.utime(folder / "run.sh", (7, 7))
    assert packed(folder) == before


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_archives_that_others_packed_are_the_same_version(tmp_path: Path, format: int) -> None:
    folder = bot(tmp_path / "bot")
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz", format=format) as made:
        made.add(folder, ".")  # with folders, owners and times
    assert digest(list_content(unpacked(file.getvalue(), tmp_path))) == digest(list_content(folder))


def test_what_is_never_part_of_a_bot_is_not_unpacked(tmp_path: Path) -> None:
    ignored = [".git/config", "d/.git/x", "__pycache__/bot.pyc", "arena-data/arena.db"]
    content = tar(*[member(name, size=3) for name in (*ignored, "d/bot.py")])
    folder = unpacked(content, tmp_path)
    assert {path.name for path in folder.rglob("*")} == {"d", "bot.py"}


HOSTILE = {
    "leads out": (tar(member("../bot.py")), "'../bot.py' leads out of the bot's folder"),
    "absolute": (tar(member("/etc/cron.d/x")), "'/etc/cron.d/x' leads out"),
    "hidden way out": (tar(member("a/../../b")), "leads out"),
    "device": (
        tar(member("null", type=tarfile.CHRTYPE, devmajor=1, devminor=3)),
        "'null' is neither a file nor a folder nor a link",
    ),
    "pipe": (tar(member("pipe", type=tarfile.FIFOTYPE)), "'pipe' is neither"),
    "hard link": (
        tar(member("passwd", type=tarfile.LNKTYPE, linkname="/etc/passwd")),
        "'passwd' is a hard link to '/etc/passwd'",
    ),
    "link out": (
        tar(member("passwd", type=tarfile.SYMTYPE, linkname="/etc/passwd")),
        "'passwd' is a link to '/etc/passwd', which leads out",
    ),
    "link up": (
        tar(member("d/up", type=tarfile.SYMTYPE, linkname="../../x")),
        "'d/up' is a link to '../../x', which leads out",
    ),
    "links that lead out together": (
        tar(
            member("out", type=tarfile.SYMTYPE, linkname="x/y/../.."),
            member("x", type=tarfile.SYMTYPE, linkname="."),
            member("y", type=tarfile.SYMTYPE, linkname="."),
        ),
        "'out' is a link to 'x/y/../..', which leads out",
    ),
    "through a link": (
        tar(member("d", type=tarfile.SYMTYPE, linkname="/tmp"), member("d/file", size=3)),
        "'d' cannot be unpacked where another one is",
    ),
    "link through a link": (
        tar(
            member("out", type=tarfile.SYMTYPE, linkname=".."),
            member("out/link", type=tarfile.SYMTYPE, linkname="bot.py"),
        ),
        "'out/link' cannot be unpacked where another one is",
    ),
    "circle": (
        tar(
            member("a", type=tarfile.SYMTYPE, linkname="b"),
            member("b", type=tarfile.SYMTYPE, linkname="a"),
        ),
        "'a' is a link to 'b'",
    ),
    "twice": (tar(member("a"), member("a")), "'a' cannot be unpacked where another one is"),
    "file as folder": (tar(member("a"), member("a/b")), "'a/b' cannot be unpacked"),
    "setuid": (tar(member("sh", mode=0o4755)), "'sh' would run as another user"),
    "setgid": (tar(member("sh", mode=0o2755)), "'sh' would run as another user"),
    "long name": (tar(member("d/" * 300 + "x")), "has a name longer than 400 bytes"),
    "deep": (tar(member("d/" * 64 + "x")), "is nested more than 64 folders deep"),
    "far link": (
        tar(member("a", type=tarfile.SYMTYPE, linkname="b/" * 600)),
        "'a' is a link to a path longer than 1,024 bytes",
    ),
    "link to nothing": (
        tar(member("a", type=tarfile.SYMTYPE, linkname="")),
        "'a' cannot be unpacked",
    ),
    "maze of links": (
        tar(
            *[
                member(f"{n}", type=tarfile.SYMTYPE, linkname=f"{n + 1}/../{n + 1}/../{n + 1}")
                for n in range(40)
            ]
        ),
        "'0' is a link to '1/../1/../1', which leads out",
    ),
    "pipe among what is ignored": (tar(member(".git/x", type=tarfile.FIFOTYPE)), "'.git/x' is nei"),
    "long part": (tar(member("x" * 256)), "255 in a part"),
    "zero in a name": (tar(member("a", pax_headers={"path": "a\0b"})), "no file can have"),
    "sparse": (
        tar(member("big", pax_headers={"GNU.sparse.major": "1", "GNU.sparse.minor": "0"})),
        "'big' is packed as a sparse file",
    ),
    "negative size": (
        tar(member("neg", pax_headers={"size": "-512"})),
        "the size of 'neg' is not a number",
    ),
    "size of garbage": (tar(member("neg", pax_headers={"size": "9" * 30})), "is not a number"),
    "enormous": (tar(member("a", pax_headers={"size": "9" * 18})), "'a' makes the bot larger"),
    "header as a bomb": (
        tar(member("a", pax_headers={"comment": "x" * 20_000})),
        "after the beginning, a header has more than 16 KiB",
    ),
    "headers without end": (
        tar(*[member("g", type=tarfile.XGLTYPE)] * 9),
        "a member has too many headers",
    ),
    "not compressed": (
        gzip.decompress(tar(member("a"))),
        "not a readable tar.gz: after the beginn",
    ),
    "no tar": (gzip.compress(b"7" * 2000), "there is no header where one should be"),
    "garbage in the middle": (
        gzip.compress(gzip.decompress(tar(member("a", size=9)))[:1024] + b"7" * 1024),
        "after 'a', there is no header",
    ),
    "another archive behind it": (tar(member("a")) * 2, "something follows the end"),
    "padding": (tar(member("a")) + b"\0", "something follows the end"),
    "empty": (b"", "the file ends too early"),
    "cut": (tar(member("a", size=100_000))[:-20], "not a readable tar.gz: after 'a'"),
    "cut before it was compressed": (
        gzip.compress(gzip.decompress(tar(member("a", size=9999)))[:3000]),
        "it ends in the middle of a member",
    ),
}


@pytest.mark.parametrize(("content", "words"), HOSTILE.values(), ids=HOSTILE)
def test_what_must_not_be_unpacked_is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    assert words in refusal(content, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["unpacked"]


def test_a_damaged_archive_is_noticed(tmp_path: Path) -> None:
    content = bytearray(tar(member("a", size=9)))
    content[-6] ^= 1  # a byte of the checksum
    assert "incorrect data check" in refusal(bytes(content), tmp_path)


def test_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "FILES_LIMIT", 20)
    content = tar(*[member(f"{i}") for i in range(21)])
    assert refusal(content, tmp_path) == "The archive has more than 20 members."


def test_folders_count_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "ENTRIES_LIMIT", 100)
    content = tar(*[member(f"{i}/" + "d/" * 60 + "x") for i in range(2)])
    assert refusal(content, tmp_path) == "The archive has more than 100 files and folders."
    assert sum(1 for _ in tmp_path.rglob("*")) < 100


@pytest.mark.parametrize(
    "long", [b"name".ljust(5 << 20, b"e") + b"\0", gzip.compress(b"") * 200_000, b"\0" * (5 << 20)]
)
def test_reading_never_takes_longer_than_the_size_explains(long: bytes, tmp_path: Path) -> None:
    content = tar(member("a"))
    with_name = b"\x1f\x8b\x08\x08" + content[4:10] + long + content[10:]
    before = process_time()
    for each in (with_name, long + content, content + long):
        with suppress(ArchiveError):
            unpack(io.BytesIO(each), tmp_path)
    assert process_time() - before < 1.0  # several seconds before


def test_too_much_in_sum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "UNPACKED_LIMIT_BYTES", 10_000)
    content = tar(*[member(f"{i}", size=3000) for i in range(4)])
    assert "'2' makes the bot larger" in refusal(content, tmp_path)


def test_what_follows_the_end_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "UNPACKED_LIMIT_BYTES", 10_000)
    assert "larger than" in refusal(gzip.compress(b"\0" * 20_000), tmp_path)


def test_a_bomb_ends_early_and_takes_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "UNPACKED_LIMIT_BYTES", 8 << 20)
    header = member("a", size=7 << 20).tobuf(tarfile.PAX_FORMAT)
    bomb = gzip.compress(header + b"\0" * (71 << 20))
    tracemalloc.start()
    try:
        assert "larger than 8 MiB" in refusal(bomb, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()


def test_what_is_too_large_to_be_sent_is_refused_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "PACKED_LIMIT_BYTES", 50_000)
    with pytest.raises(ArchiveError, match="Leave out what it does not need"):
        pack_to_submit(list_content(bot(tmp_path / "bot")), io.BytesIO())


def zipped(*members: zipfile.ZipInfo | str, content: bytes = b"x" * 3) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in members:
            archive.writestr(one, content)
    return file.getvalue()


def entry(name: str, mode: int, system: int = 3) -> zipfile.ZipInfo:
    """Returns the header of a member that a system packed: 3 is Unix, 0 is Windows."""
    info = zipfile.ZipInfo(name)
    info.external_attr, info.create_system = mode << 16, system
    return info


def test_a_zip_archive_is_the_same_version(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            if path.is_symlink():
                archive.writestr(entry(name, 0o120777), str(path.readlink()))
            else:
                archive.write(path, name)
        archive.comment = b"PK\x05\x06 is no end"
    assert digest(list_content(unpacked(file.getvalue(), tmp_path))) == digest(list_content(folder))


def test_a_zip_archive_of_windows(tmp_path: Path) -> None:
    content = zipped(entry("src\\bot.py", 0, 0), entry("data/", 0, 0))
    folder = unpacked(content, tmp_path)
    assert (folder / "src" / "bot.py").read_bytes() == b"xxx"
    assert {path.name for path in folder.iterdir()} == {"src", "data"}


def test_a_stored_member_of_a_zip_archive(tmp_path: Path) -> None:
    info = entry("a", 0o100755)
    info.compress_type = zipfile.ZIP_STORED
    folder = unpacked(zipped(info, content=b"7" * 200_000), tmp_path)
    assert (folder / "a").read_bytes() == b"7" * 200_000
    assert os.access(folder / "a", os.X_OK)


def altered(content: bytes, signature: bytes, offset: int, value: bytes) -> bytes:
    """Returns the archive with other bytes in its last header of a kind."""
    place = content.rindex(signature) + offset
    return content[:place] + value + content[place + len(value) :]


ENTRY, END = b"PK\x01\x02", b"PK\x05\x06"
ONE, TWO = zipped("a"), zipped("a", "b")
HOSTILE_ZIPS = {
    "leads out": (zipped("../bot.py"), "'../bot.py' leads out of the bot's folder"),
    "of Windows": (zipped(entry("..\\bot.py", 0, 0)), "'../bot.py' leads out"),
    "link out": (
        zipped(entry("a", 0o120777), content=b"/etc/passwd"),
        "'a' is a link to '/etc/passwd', which leads out",
    ),
    "long link": (
        zipped(entry("a", 0o120777), content=b"b/" * 600),
        "'a' is a link to a path that is too long",
    ),
    "pipe": (zipped(entry("a", 0o010644)), "'a' is neither a file nor a folder nor a link"),
    "setuid": (zipped(entry("a", 0o104755)), "'a' would run as another user"),
    "through a link": (
        zipped(entry("d", 0o120777), "d/x", content=b"/tmp"),
        "'d' cannot be unpacked where another one is",
    ),
    "encrypted": (altered(ONE, ENTRY, 8, b"\1\0"), "'a' is encrypted"),
    "other method": (altered(ONE, ENTRY, 10, b"\x0c\0"), "'a' is not compressed by deflate"),
    "wrong checksum": (altered(ONE, ENTRY, 16, bytes(4)), "'a' is damaged"),
    "larger than it says": (altered(ONE, ENTRY, 24, b"\1\0\0\0"), "'a' is damaged"),
    "smaller than it says": (altered(ONE, ENTRY, 24, b"\xff\0\0\0"), "'a' is damaged"),
    "enormous": (altered(ONE, ENTRY, 24, b"\xff" * 4), "'a' makes the bot larger than 500 MiB"),
    "elsewhere": (altered(ONE, ENTRY, 42, b"\1\0\0\0"), "'a' is not where the directory says"),
    "beyond the end": (altered(ONE, ENTRY, 42, b"\xff" * 4), "it ends in the middle of a member"),
    "more than there are": (altered(ONE, END, 10, b"\2\0"), "it ends in the middle of a member"),
    "overlapping": (altered(TWO, ENTRY, 20, b"\xff" * 4), "does not describe what is in it"),
    "zip64": (altered(ONE, END, 16, b"\xff" * 4), "is not where its end says"),
    "cut": (ONE[:-1], "it has no end; was it sent whole?"),
    "followed": (ONE + b"7", "it has no end"),
    "twice": (zipped(entry("a", 0o100644), entry("./a", 0o100644)), "'./a' cannot be unpacked"),
}


@pytest.mark.parametrize(("content", "words"), HOSTILE_ZIPS.values(), ids=HOSTILE_ZIPS)
def test_zip_archives_that_must_not_be_unpacked(content: bytes, words: str, tmp_path: Path) -> None:
    assert words in refusal(content, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["unpacked"]


def test_a_bomb_as_a_zip_archive_takes_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "UNPACKED_LIMIT_BYTES", 8 << 20)
    bomb = zipped("a", "b", content=b"\0" * (7 << 20))
    lying = altered(
        zipped("a", content=b"\0" * (70 << 20)), ENTRY, 24, (1 << 20).to_bytes(4, "little")
    )
    tracemalloc.start()
    try:
        assert "'b' makes the bot larger" in refusal(bomb, tmp_path)
        (tmp_path / "unpacked").rename(tmp_path / "before")
        assert "'a' is damaged" in refusal(lying, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()


def test_a_directory_of_many_members_is_read_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "FILES_LIMIT", 20)
    many = zipped(*[f"{number}" for number in range(21)])
    assert refusal(many, tmp_path) == "The archive has more than 20 members."


def test_folders_that_are_left_out_are_named(tmp_path: Path) -> None:
    content = tar(*[member(name, size=3) for name in ("b/.git/x/y", "b/.git/z", "b/bot.py")])
    assert unpack(io.BytesIO(content), tmp_path) == {"b/.git"}
