"""Staging: a temporary folder for each submission until it is accepted or refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from arena.bots.source import try_to_remove
from arena.server.file_work import FileWork
from arena.store.data_folder import DataFolder
from arena.store.versions import COPYING

PREFIX = "incoming-"


class Staging:
    """The contents of a temporary folder inside the data folder.

    `archive`: the archive as it was uploaded.
    `files`: the submitted files.
    `built`: the files that the build left.
    """

    def __init__(self, path: Path) -> None:
        self.archive = path / "archive.tar.gz"
        self.files = path / "files"
        self.built = path / "built"
        self.files.mkdir()
        self.built.mkdir()

    def hide(self, sentence: str) -> str:
        """Returns the sentence without the paths of this machine."""
        for folder in (self.files, self.built):
            sentence = sentence.replace(f"{folder}/", "")
            sentence = sentence.replace(str(folder), "The archive")
        return sentence


@asynccontextmanager
async def staging(data: DataFolder, files: FileWork) -> AsyncIterator[Staging]:
    """Creates a staging folder, and removes it when the context ends."""
    path = _new_folder(data)
    try:
        yield Staging(path)
    finally:
        await files.tidy(lambda: try_to_remove(path))


def _new_folder(data: DataFolder) -> Path:
    # Absolute, because a build runs in another working directory.
    return Path(mkdtemp(dir=data.path, prefix=PREFIX)).resolve()


def sweep(data: DataFolder, files: FileWork) -> None:
    """Begins to remove the staging folders that a killed arena left behind, which takes as long as
    strangers made it. Nothing depends on it."""
    for prefix in (PREFIX, COPYING):
        for remains in data.path.glob(f"{prefix}*"):
            files.begin(partial(try_to_remove, remains))
