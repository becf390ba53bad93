"""Downloads: workers fetch the files of versions."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import IO, TypeAlias

from arena.bots import BUILT_SUFFIX, IMAGE_SUFFIX
from arena.bots.source import digest, list_content, pack
from arena.errors import ArenaError, Kind
from arena.server.file_work import FileWork
from arena.server.limits import ServerLimits
from arena.store.data_folder import DataFolder
from sevens.league.v1.version_pb2 import FetchHead, FetchVersionResponse

CHUNK_BYTES = 256 * 1024
DIGEST = re.compile(r"[0-9a-f]{64}")

Write: TypeAlias = Callable[[FetchVersionResponse], Awaitable[None]]


class Downloads:
    """Packs versions on request, a few at once; other requests wait."""

    def __init__(self, data: DataFolder, files: FileWork, limits: ServerLimits) -> None:
        self._data = data
        self._files = files
        self._limit_s = limits.fetch_s
        self._slots = asyncio.Semaphore(limits.fetches)

    async def send(self, version: str, write: Write) -> None:
        """Sends the version in the form in which it runs. Raises ArenaError."""
        folder = self._folder(version)
        # An unnamed file disappears with the process, however that ends.
        async with self._slots:
            with tempfile.TemporaryFile(dir=self._data.path) as archive:
                head = await self._files.do(lambda: _pack(folder, archive))
                try:
                    async with asyncio.timeout(self._limit_s):
                        await _write(head, archive, write)
                except TimeoutError:
                    raise ArenaError(
                        Kind.TOO_SLOW,
                        f"The version was not downloaded within {self._limit_s:g} seconds.",
                    ) from None

    def _folder(self, version: str) -> Path:
        """Returns the folder of the files. Raises ArenaError."""
        data = self._data
        if DIGEST.fullmatch(version):
            for folder in (data.image(version), data.built(version), data.version(version)):
                if folder.exists():
                    return folder
        raise ArenaError(Kind.NOT_FOUND, f"The server does not have the version {version[:64]!r}.")


async def _write(head: FetchHead, archive: IO[bytes], write: Write) -> None:
    await write(FetchVersionResponse(head=head))
    while chunk := await asyncio.to_thread(archive.read, CHUNK_BYTES):
        await write(FetchVersionResponse(chunk=chunk))


def _pack(folder: Path, archive: IO[bytes]) -> FetchHead:
    content = list_content(folder)
    pack(content, archive)
    head = FetchHead(
        content=digest(content),
        built=folder.suffix == BUILT_SUFFIX,
        image=folder.suffix == IMAGE_SUFFIX,
        archive_bytes=archive.tell(),
    )
    archive.seek(0)
    return head
