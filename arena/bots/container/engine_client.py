"""The container engine (Docker, or one with the same API), and its images.

The environment variable DOCKER_HOST gives its address if that is not the usual one;
ARENA_CONTAINER_RUNTIME names the runtime for bots' containers, one that the engine knows (such as
`runsc`).
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp
from aiodocker import Docker, DockerError

from arena.bots.source import (
    BYTES_LIMIT,
    METADATA_LIMIT_BYTES,
    EngineTrouble,
    Image,
    UnusableImage,
    version_of,
)
from arena.bots.watchdog import has_ended, mark_of

RUNTIME_VARIABLE = "ARENA_CONTAINER_RUNTIME"
# Every container has this label; its value names the arena that the container belongs to.
LABEL = "sevens-arena"
# An archive is sent to workers as a bot's files are, together with its metadata.
ARCHIVE_LIMIT_BYTES = BYTES_LIMIT - METADATA_LIMIT_BYTES
UNIX = "unix://"
USUAL = "unix:///var/run/docker.sock"
TIMEOUT = aiohttp.ClientTimeout(total=60.0)
# A call of the engine raises one of these if it fails.
CALL_ERRORS = (DockerError, aiohttp.ClientError, TimeoutError)
# Statuses of the engine's answers. The first is aiodocker's own.
NO_ANSWER = 900
NOT_FOUND = 404
LOADED = re.compile(r"^Loaded image(?: ID)?: (.+)$", re.MULTILINE)


class Engine:
    """A connection to the engine, for one event loop.

    `socket`: the path of the socket it listens on.
    `containers`: its containers, as aiodocker has them.
    """

    def __init__(self, socket: str) -> None:
        self.socket = socket
        # Without a limit, since each container takes some connections for as long as it runs.
        self._connector = aiohttp.UnixConnector(socket, limit=0)
        self._docker = Docker("http://engine", connector=self._connector, timeout=TIMEOUT)
        self.containers = self._docker.containers

    async def aclose(self) -> None:
        await self._docker.close()
        await self._connector.close()

    async def version(self) -> str:
        return str((await self._docker.version())["Version"])

    async def find_image(self, reference: str) -> str:
        """Returns the id of the engine's image of that name. Raises UnusableImage and
        EngineTrouble."""
        try:
            image = await self._docker.images.inspect(quote(reference, safe="/:@"))
        except CALL_ERRORS as error:
            if status_of(error) == NO_ANSWER:
                raise EngineTrouble(f"The container engine failed: {reason(error)}.") from None
            if status_of(error) == NOT_FOUND:
                raise UnusableImage(
                    f"The engine has no image {reference}; build it, or load it with `docker load`."
                    " The arena does not pull images."
                ) from None
            raise UnusableImage(
                f"{reference} is not the name of an image: {reason(error)}."
            ) from None
        _check(image["Config"] or {}, reference)
        return str(image["Id"])

    async def load_image(self, archive: Path) -> str:
        """Loads an archive written by `docker save`, and returns the id of the one image in it.
        Raises UnusableImage and EngineTrouble."""
        _check_size(archive)
        try:
            with archive.open("rb") as file:
                progress = await self._docker.images.import_image(file)
        except CALL_ERRORS as error:
            if status_of(error) == NO_ANSWER:
                raise EngineTrouble(
                    f"The container engine failed while loading {archive}: {reason(error)}."
                ) from None
            raise UnusableImage(
                f"{archive} is not an image archive ({reason(error)}); write it with `docker save`."
            ) from None
        text = "".join(message.get("stream", "") for message in progress)
        ids = {await self.find_image(name) for name in LOADED.findall(text)}  # it may have tags
        if len(ids) != 1:
            raise UnusableImage(f"{archive} holds {len(ids)} images; it must hold exactly one.")
        return ids.pop()

    async def ensure_image(self, image: Image) -> str:
        """Makes sure that the engine has the image, and returns its id. Raises UnusableImage and
        EngineTrouble."""
        try:
            return await self.find_image(image.id)
        except UnusableImage:
            if image.archive is None:
                raise UnusableImage(
                    f"The engine does not have the image {image.reference} ({image.id}): load it"
                    " there with `docker load`, or enter the bot as an archive, image:PATH."
                ) from None
        # The engine computes the id from everything that the image consists of.
        found = await self.load_image(image.archive)
        if found != image.id:
            raise UnusableImage(
                f"The archive of the image {image.reference} holds {found}, not {image.id}; it is"
                " damaged, or this engine computes ids differently from the one that wrote it."
            )
        return found

    async def remove_leftovers(self) -> None:
        """Removes the containers of arenas of this machine that have ended. Raises
        EngineTrouble."""
        filters = json.dumps({"label": [LABEL]})
        try:
            for container in await self.containers.list(all=1, filters=filters):
                if _is_leftover(container["Labels"][LABEL]):
                    with suppress(DockerError):  # another arena removes it as well
                        await container.delete(force=True)
        except CALL_ERRORS as error:
            raise EngineTrouble(f"The container engine failed: {reason(error)}.") from None


async def find_engine() -> Engine:
    """Connects to the engine. Raises EngineTrouble."""
    address = os.environ.get("DOCKER_HOST", USUAL)
    if not address.startswith(UNIX):
        raise EngineTrouble(
            f"DOCKER_HOST is {address}; the container engine has to listen on a Unix socket of this"
            " machine, because bots reach the arena through a folder of this machine."
        )
    engine = Engine(address.removeprefix(UNIX))
    try:
        await engine.version()
    except CALL_ERRORS as error:
        await engine.aclose()
        raise EngineTrouble(
            f"Bots that are images need a container engine, and none answers at {engine.socket}"
            f" ({reason(error)}). Start Docker, or set DOCKER_HOST to its address."
        ) from None
    return engine


def engine_version() -> str:
    """Returns the version of this machine's engine. Blocks. Raises EngineTrouble."""

    async def version() -> str:
        async with aclosing(await find_engine()) as engine:
            return await engine.version()

    return asyncio.run(version())


def image_of(reference: str) -> Image:
    """Returns the bot that a reference names: an image that the engine has, or the path of an
    archive, which the engine loads. Blocks. Raises UnusableImage and EngineTrouble."""

    path = Path(reference)
    archive = path.resolve() if path.is_file() else None

    async def find() -> str:
        async with aclosing(await find_engine()) as engine:
            if archive is not None:
                return await engine.load_image(archive)
            return await engine.find_image(reference)

    name = _name(path.name if archive else reference)
    return Image(name, version_of(asyncio.run(find())), reference, archive)


def arena_of(pid: int) -> str:
    """Returns the beginning of the label of every container of the arena with that process: no
    other arena on any machine has it, even if a process id is reused."""
    return f"{os.uname().nodename}/{mark_of(pid)}"


def status_of(error: Exception) -> int:
    """Returns the status of the engine's answer to a call that failed; NO_ANSWER if there was
    none."""
    return error.status if isinstance(error, DockerError) else NO_ANSWER


def reason(error: Exception) -> str:
    """Returns the reason that an error of a call gives, as the end of a sentence."""
    if isinstance(error.__context__, aiohttp.ClientConnectorError):
        return str(error.__context__.os_error)
    text = error.message if isinstance(error, DockerError) else str(error) or type(error).__name__
    return str(text).strip().splitlines()[0].rstrip(".")


def _check_size(archive: Path) -> None:
    """Raises UnusableImage."""
    if archive.stat().st_size > ARCHIVE_LIMIT_BYTES:
        raise UnusableImage(
            f"{archive} is larger than {BYTES_LIMIT >> 20} MiB; make the image smaller."
        )


def _check(config: Mapping[str, Any], reference: str) -> None:
    """Makes sure that an image with that configuration can be a bot. Raises UnusableImage."""
    if not config.get("Entrypoint") and not config.get("Cmd"):
        raise UnusableImage(
            f"The image {reference} does not say what to run; give it an ENTRYPOINT that starts the"
            " bot."
        )
    if volumes := config.get("Volumes"):
        raise UnusableImage(
            f"The image {reference} has VOLUME {', '.join(sorted(volumes))}, but bots have no disk"
            " to write to; remove it. They may write to /tmp."
        )


def _is_leftover(arena: str) -> bool:
    machine, mark = arena.split("/")[:2]
    return machine == os.uname().nodename and has_ended(mark)


def _name(reference: str) -> str:
    """Returns the bot's name: `mine` for `bots/mine:3` as well as for `mine.tar.gz`."""
    last = reference.rpartition("/")[2].partition("@")[0].partition(":")[0].partition(".")[0]
    return re.sub("[^a-z0-9]+", "-", last.lower()).strip("-")[:40] or "bot"
