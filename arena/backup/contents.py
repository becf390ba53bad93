"""The contents of a backup: files, and a manifest with the digest of each."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.views.view import Moment, View, canonical_json

FORMAT = 1
MANIFEST = "manifest.json"
STORE = "arena.sqlite3"


class StoredFile(View):
    """A file of a backup.

    `mode`: its permissions; -1: it is a symbolic link.
    `sha256`: of its bytes, or of the target of the link.
    """

    mode: int
    sha256: str


class Manifest(View):
    """The list of a backup's files, written last.

    `arena`: the version of the arena that made it.
    `tables`: the revision of the store's tables.
    `files`: by their paths below the folder, with slashes.
    `digest`: the SHA-256 of this document with an empty digest, as canonical JSON.
    """

    format: int = FORMAT
    arena: str
    tables: str
    made_at: Moment
    files: dict[str, StoredFile]
    digest: str = ""

    def sealed(self) -> Manifest:
        """Returns the manifest with its digest."""
        empty = self.model_copy(update={"digest": ""})
        text = canonical_json(empty).encode()
        return self.model_copy(update={"digest": hashlib.sha256(text).hexdigest()})


def files_below(folder: Path) -> Iterator[Path]:
    """Yields all files and links below a folder."""
    for above, folders, files in os.walk(folder):
        for name in (*files, *folders):
            path = Path(above, name)
            if path.is_symlink() or not path.is_dir():
                yield path


def described(path: Path) -> StoredFile:
    """Returns the description of a file or link. Raises OSError."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        target = os.fsencode(path.readlink())
        return StoredFile(mode=-1, sha256=hashlib.sha256(target).hexdigest())
    with path.open("rb") as file:
        content: Any = hashlib.file_digest(file, "sha256")
    return StoredFile(mode=stat.S_IMODE(status.st_mode), sha256=content.hexdigest())
