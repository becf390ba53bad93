"""Staging: a temporary folder for each submission until it is accepted or refused."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from arena.store import COPYING, DataFolder

T = TypeVar("T")

PREFIX = "incoming-"


class Staging:
    """A temporary folder inside the data folder.

    `archive`: the archive as it was uploaded.
    `files`: the submitted files.
    `built`: a copy of the files, changed by the build.
    `scratch`: temporary files of the build.
    """

    def __init__(self, path: Path) -> None:
        self.archive = path / "archive.tar.gz"
        self.files = path / "files"
        self.built = path / "built"
        self.scratch = path / "scratch"

    def hide(self, sentence: str) -> str:
        """Returns the sentence without the paths of this machine."""
        for folder in (self.files, self.built):
            sentence = sentence.replace(f"{folder}/", "")
            sentence = sentence.replace(str(folder), "The archive")
        return sentence


@contextmanager
def staging(data: DataFolder) -> Iterator[Staging]:
    """Creates a staging folder, and removes it when the context ends."""
    with tempfile.TemporaryDirectory(
        dir=data.path, prefix=PREFIX, ignore_cleanup_errors=True
    ) as path:
        # Absolute, because a build runs in another working directory.
        stage = Staging(Path(path).resolve())
        stage.files.mkdir()
        stage.scratch.mkdir()
        yield stage


def sweep(data: DataFolder) -> None:
    """Removes the staging folders that a killed arena left behind."""
    for prefix in (PREFIX, COPYING):
        for remains in data.path.glob(f"{prefix}*"):
            shutil.rmtree(remains, ignore_errors=True)


async def to_completion(work: Callable[[], T]) -> T:
    """Does work in a thread and waits for its end even if cancelled, because the work may use a
    folder that the caller removes next."""
    task = asyncio.create_task(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,))
        raise
