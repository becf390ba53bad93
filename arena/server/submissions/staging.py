"""Where a submission lies until it is accepted or refused."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from arena.store.data_folder import DataFolder
from arena.store.versions import COPYING

T = TypeVar("T")

PREFIX = "incoming-"


class Workshop:
    """A folder in the data folder. `files`: what was submitted. `built`: what the build makes of a
    copy of it. `scratch`: what the build needs for a while."""

    def __init__(self, path: Path) -> None:
        self.archive = path / "archive.tar.gz"
        self.files = path / "files"
        self.built = path / "built"
        self.scratch = path / "scratch"

    def hide(self, sentence: str) -> str:
        """The sentence, without the folders of this machine."""
        for folder in (self.files, self.built):
            sentence = sentence.replace(f"{folder}/", "")
            sentence = sentence.replace(str(folder), "The archive")
        return sentence


@contextmanager
def workshop(data: DataFolder) -> Iterator[Workshop]:
    """A workshop, for as long as the context lasts."""
    with tempfile.TemporaryDirectory(
        dir=data.path, prefix=PREFIX, ignore_cleanup_errors=True
    ) as path:
        # Absolute, since a build does not run in this process's folder.
        shop = Workshop(Path(path).resolve())
        shop.files.mkdir()
        shop.scratch.mkdir()
        yield shop


def sweep(data: DataFolder) -> None:
    """Removes what an arena that was killed was working on."""
    for prefix in (PREFIX, COPYING):
        for remains in data.path.glob(f"{prefix}*"):
            shutil.rmtree(remains, ignore_errors=True)


async def wholly(work: Callable[[], T]) -> T:
    """Does work in a thread, and waits for its end even when cancelled: it may use a workshop."""
    task = asyncio.create_task(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,))
        raise
