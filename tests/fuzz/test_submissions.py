"""Whatever an archive or a manifest contains, it is taken or refused in a sentence, in time."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic, process_time

import pytest

from arena.bots.source import (
    MANIFEST,
    ArchiveError,
    ManifestError,
    digest,
    list_content,
    read_manifest,
    temporary_folder,
    unpack,
    unpack_tar,
)
from tests.support.damage import damaged

NAMES = [
    *("a", "b", "a/b", "a/b/c", "./a", "../a", "/a", "a/../b", "bot.toml", ".git/x", "a//b", ""),
    *("a/" * 70, "x" * 300, "\0", "é\udcff", "a\nb", "…"),
]
TYPES = [
    *(tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE),
    *(tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.CONTTYPE, tarfile.GNUTYPE_SPARSE, b"Z"),
]
WORDS = [
    *("name", "run", "games", "limits", "build", "memory_mb", "x", "=", "=", ".", "[", "]", "[["),
    *("]]", "{", "}", ",", '"', "'", '"""', "\\", "\\u0000", "\\U0001f0a1", "#", "\n", "\r\n", " "),
    *('"my-bot"', '["python", "bot.py"]', "512", "-1", "1e400", "nan", "true", "1979-05-27", "\t"),
    *("9" * 400, "a." * 40, "\ufeff", "\x00", "\u202e"),
]
SLOWEST_S = 5.0  # far above what any one of them takes


class Fuzz:
    """Makes archives and manifests, most of them broken somewhere. `random`: decides
    everything."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def tar(self) -> bytes:
        file = io.BytesIO()
        format = self.random.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT))
        with tarfile.open(fileobj=file, mode="w", format=format, errors="surrogateescape") as tar:
            for _ in range(self.random.choice((0, 1, 2, 3, 30))):
                member = self._member()
                tar.addfile(member, io.BytesIO(self.random.randbytes(member.size)))
        raw = file.getvalue()
        for _ in range(self.random.choice((0, 0, 1, 4))):
            raw = self._damaged(raw)
        return raw

    def zip(self) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for _ in range(self.random.choice((0, 1, 2, 3, 30))):
                with suppress(UserWarning):  # the name is there already
                    archive.writestr(*self._entry())
        raw = file.getvalue()
        for _ in range(self.random.choice((0, 0, 1, 4))):
            raw = damaged(raw, self.random, self.random.randbytes(self.random.choice((1, 46))))
        return raw

    def manifest(self) -> bytes:
        words = (self.random.choice(WORDS) for _ in range(self.random.choice((3, 20, 200))))
        text = "".join(words).encode()
        if self.random.random() < 0.5:
            text = b'name = "good"\nrun = ["python"]\n' + text
        return self._damaged(text) if self.random.random() < 0.2 else text

    def _member(self) -> tarfile.TarInfo:
        member = tarfile.TarInfo(self.random.choice(NAMES))
        member.type = self.random.choice(TYPES[:1] * 9 + TYPES)
        member.linkname = self.random.choice(NAMES)
        member.mode = self.random.choice((0o644, 0o755, 0, 0o4755, 0o7777))
        if member.isreg():
            member.size = self.random.choice((0, 1, 511, 512, 513, 9000))
        if self.random.random() < 0.1:
            key = self.random.choice(("path", "linkpath", "size", "GNU.sparse.major", "comment"))
            member.pax_headers = {key: self.random.choice(("7", "-1", "9" * 30, "a/b", "x" * 99))}
        return member

    def _entry(self) -> tuple[zipfile.ZipInfo, bytes]:
        info = zipfile.ZipInfo(
            self.random.choice([name for name in NAMES if name and name.isprintable()])
        )
        info.create_system = self.random.choice((0, 3, 3, 3, 19, 255))
        info.compress_type = self.random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
        kind = self.random.choice([0, stat.S_IFREG] * 9 + [stat.S_IFLNK, stat.S_IFIFO])
        mode = self.random.choice((0o644, 0o755, 0, 0o4755, 0o7777))
        info.external_attr = (kind | mode) << 16
        return info, self.random.randbytes(self.random.choice((0, 1, 511, 9000)))

    def _damaged(self, raw: bytes) -> bytes:
        piece = self.random.randbytes(self.random.choice((1, 512)))
        return damaged(raw, self.random, piece)


@pytest.mark.slow
def test_archives_of_any_bytes(tmp_path: Path, seed: int, fuzz_until: float) -> None:
    random, taken = Random(f"archives {seed}"), 0
    fuzz, endings = Fuzz(random), set()
    while monotonic() < fuzz_until or not (taken and endings):
        kind = random.choice((fuzz.tar, fuzz.zip))
        raw, began = kind(), process_time()
        with temporary_folder(tmp_path, "place-") as place:
            folder = place / "bot"
            folder.mkdir()
            try:
                if kind == fuzz.zip:
                    unpack(io.BytesIO(raw), folder)
                elif random.random() < 0.5:
                    unpack_tar(io.BytesIO(raw), folder)
                else:
                    unpack(io.BytesIO(gzip.compress(raw, 1)), folder)
            except ArchiveError as mistake:
                endings.add(str(mistake)[-1:])
            else:
                taken += 1
                digest(list_content(folder))  # whatever was unpacked may be a bot
                assert all(map(is_harmless, folder.rglob("*")))
        assert not any(tmp_path.iterdir())
        assert process_time() - began < SLOWEST_S
    assert endings <= {".", "?"}  # of sentences


@pytest.mark.slow
def test_manifests_of_any_bytes(tmp_path: Path, seed: int, fuzz_until: float) -> None:
    random, taken = Random(f"manifests {seed}"), 0
    fuzz, endings = Fuzz(random), set()
    while monotonic() < fuzz_until or not (taken and endings):
        began = process_time()
        (tmp_path / MANIFEST).write_bytes(fuzz.manifest())
        try:
            manifest = read_manifest(tmp_path)
        except ManifestError as mistake:
            endings.add(str(mistake)[-1:])
        else:
            taken += 1
            assert not any("\0" in word for word in manifest.run)
        assert process_time() - began < SLOWEST_S
    assert endings <= {".", "?"}  # of sentences


def is_harmless(path: Path) -> bool:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return os.fspath(path.readlink())[:1] != "/"
    return stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and not mode & 0o7000)
