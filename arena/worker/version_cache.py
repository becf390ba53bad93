"""Caches bot versions fetched from the league's server by digest."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection
from functools import partial
from pathlib import Path
from typing import IO

import grpc
import grpc.aio

from arena.bots import (
    BUILT_SUFFIX,
    IMAGE_SUFFIX,
    ArenaFailure,
    MachineFailure,
    UnknownBot,
    find_kept_image,
    find_version,
)
from arena.bots.source import (
    UNPACKED_LIMIT_BYTES,
    ArchiveError,
    ContentError,
    Runnable,
    digest,
    list_content,
    temporary_folder,
    try_to_remove,
    unpack,
)
from arena.clock import monotonic
from sevens.league.v1.version_pb2 import FetchHead, FetchVersionResponse

log = logging.getLogger(__name__)

PATIENCE_S = 30.0
PAUSE_S = 1.0
BROKEN_OFF = grpc.StatusCode.UNKNOWN
"""The status of an answer that a proxy broke off; of what the server did not foresee it is
INTERNAL."""
PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, BROKEN_OFF)
TURNED_AWAY = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)

Fetch = Callable[[str], AsyncIterator[FetchVersionResponse]]
"""Requests the version with that digest. Iterating over the answer may raise
grpc.aio.AioRpcError."""


class NotWhole(Exception):
    """The received data are not the complete version. The text is a sentence."""


class FetchedVersions:
    """Versions stored below `place`: at most `keep_bytes` bytes, plus the versions in use.

    `in_use`: returns the versions that have processes.
    `turned_away`: called with the server's sentence when it rejects this worker's token.
    """

    def __init__(
        self,
        fetch: Fetch,
        place: Path,
        keep_bytes: int,
        in_use: Callable[[], Collection[str]],
        turned_away: Callable[[str], None],
    ) -> None:
        self._fetch = fetch
        self._place = place
        self._keep_bytes = keep_bytes
        self._in_use = in_use
        self._turned_away = turned_away
        self._kept: OrderedDict[str, int] = OrderedDict()  # and how large; the latest used last
        self._coming: dict[str, asyncio.Task[None]] = {}

    async def find(self, version: str) -> Runnable:
        """Returns the version with that digest, ready to run.

        Raises ArenaFailure and, if it cannot be fetched or stored at the moment, MachineFailure.
        """
        if version not in self._kept:
            coming = self._coming.get(version)
            if coming is None:
                coming = self._coming[version] = asyncio.create_task(self._get(version))
                coming.add_done_callback(partial(self._end, version))
            await asyncio.shield(coming)  # other jobs may wait for it too
        self._kept.move_to_end(version)
        try:
            return await asyncio.to_thread(find_version, self._place, version)
        except UnknownBot as error:
            raise ArenaFailure(f"The bot version {version} is not usable: {error}") from None

    def _end(self, version: str, coming: asyncio.Task[None]) -> None:
        """Forgets a fetch. Of its failure perhaps no job learns: they may all have been lost."""
        del self._coming[version]
        if not coming.cancelled() and (failure := coming.exception()):
            log.warning("version %s: %s", version[:12], failure)

    async def _get(self, version: str) -> None:
        give_up_at = monotonic() + PATIENCE_S
        while True:
            try:
                self._kept[version] = await self._try(version)
                break
            except grpc.aio.AioRpcError as error:
                sentence = error.details() or error.code().name
                if error.code() in TURNED_AWAY:
                    self._turned_away(sentence)
                    raise MachineFailure(_failed(version, sentence)) from None
                if error.code() not in PASSING:
                    raise ArenaFailure(_failed(version, sentence)) from None
                if monotonic() > give_up_at:
                    raise MachineFailure(_failed(version, sentence)) from None
                log.warning("version %s: %s; retrying", version[:12], sentence)
                await asyncio.sleep(PAUSE_S)
            except (NotWhole, ArchiveError, ContentError, UnknownBot) as problem:
                raise ArenaFailure(_failed(version, str(problem))) from None
            except OSError as problem:
                sentence = f"It cannot be stored in {self._place}: {problem.strerror or problem}."
                raise MachineFailure(_failed(version, sentence)) from None
        await asyncio.to_thread(self._make_room, {version, *self._in_use()})

    async def _try(self, version: str) -> int:
        """Fetches the version and returns its size in bytes. Raises grpc.aio.AioRpcError, and
        NotWhole or another error if it is incomplete."""
        with temporary_folder(self._place, "coming-") as scratch:
            archive, files = scratch / "archive.tar.gz", scratch / "files"
            with archive.open("w+b") as file:
                head = await _receive(self._fetch(version), file)
                file.seek(0)
                await asyncio.to_thread(_unpack, file, files, head, version)
            place = self._place / f"{version}{_suffix(head)}"
            files.rename(place)
        log.info("version %s: fetched, %d bytes packed", version[:12], head.archive_bytes)
        return _size(place)

    def _make_room(self, needed: Collection[str]) -> None:
        """Drops the least recently used versions until the rest fits."""
        for version in [version for version in self._kept if version not in needed]:
            if sum(self._kept.values()) <= self._keep_bytes:
                return
            del self._kept[version]
            for suffix in ("", BUILT_SUFFIX, IMAGE_SUFFIX):
                try_to_remove(self._place / f"{version}{suffix}")
            log.info("version %s: dropped to make room", version[:12])


async def _receive(parts: AsyncIterator[FetchVersionResponse], file: IO[bytes]) -> FetchHead:
    """Writes the archive to a file as it arrives."""
    head: FetchHead | None = None
    size = 0
    async for part in parts:
        if part.WhichOneof("part") == "head":
            head = part.head
        size += len(part.chunk)
        if head is None or size > min(head.archive_bytes, UNPACKED_LIMIT_BYTES):
            raise NotWhole("The server sent something other than it announced.")
        file.write(part.chunk)
    if head is None or size != head.archive_bytes:
        raise NotWhole("The server stopped before the end.")
    return head


def _unpack(file: IO[bytes], folder: Path, head: FetchHead, version: str) -> None:
    folder.mkdir()
    unpack(file, folder)
    found = digest(list_content(folder))
    wanted = head.content if _suffix(head) else version
    if found != wanted:
        raise NotWhole(f"Its files have the digest {found[:12]}, not {wanted[:12]}.")
    if head.image:
        find_kept_image(folder, version)


def _suffix(head: FetchHead) -> str:
    """Returns the suffix after the version's digest in the name of its folder."""
    if head.image:
        return IMAGE_SUFFIX
    return BUILT_SUFFIX if head.built else ""


def _size(folder: Path) -> int:
    return sum(entry.size for entry in list_content(folder))


def _failed(version: str, sentence: str) -> str:
    return f"The bot version {version} could not be fetched from the server: {sentence}"
