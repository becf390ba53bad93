"""The container engine (Docker, or one with the same API), and its images.

The environment variable DOCKER_HOST gives its address if that is not the usual one;
ARENA_CONTAINER_RUNTIME names the runtime for bots' containers, one that the engine knows (such as
`runsc`).
"""

from __future__ import annotations

import os
import re
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from pathlib import Path

import docker
from docker.errors import APIError, DockerException, ImageNotFound
from docker.models.images import Image as EngineImage
from requests.exceptions import RequestException

from arena.bots.source import (
    BYTES_LIMIT,
    METADATA_LIMIT_BYTES,
    EngineTrouble,
    Image,
    UnusableImage,
    version_of,
)
from arena.bots.watchdog import EngineConnection, has_ended, mark_of

RUNTIME_VARIABLE = "ARENA_CONTAINER_RUNTIME"
# Every container has this label; its value names the arena that the container belongs to.
LABEL = "sevens-arena"
# An archive is sent to workers as a bot's files are, together with its metadata.
ARCHIVE_LIMIT_BYTES = BYTES_LIMIT - METADATA_LIMIT_BYTES
UNIX = "unix://"
USUAL = "unix:///var/run/docker.sock"


@dataclass(frozen=True)
class Engine:
    """A connection to the engine. `socket`: the path of the socket it listens on."""

    client: docker.DockerClient
    socket: str


@cache
def find_engine() -> Engine:
    """Connects to the engine, once a process. Raises EngineTrouble."""
    address = os.environ.get("DOCKER_HOST", USUAL)
    if not address.startswith(UNIX):
        raise EngineTrouble(
            f"DOCKER_HOST is {address}; the container engine has to listen on a Unix socket of this"
            " machine, because bots reach the arena through a folder of this machine."
        )
    path = address.removeprefix(UNIX)
    try:
        with closing(EngineConnection(path)) as trial:
            trial.ask("GET", "/_ping")
        client = docker.from_env()
    except (OSError, HTTPException, DockerException) as error:
        raise EngineTrouble(
            f"Bots that are images need a container engine, and none answers at {path}"
            f" ({_first_line(error)}). Start Docker, or set DOCKER_HOST to its address."
        ) from None
    return Engine(client, path)


def image_of(reference: str) -> Image:
    """Returns the bot that a reference names: an image that the engine has, or the path of an
    archive, which the engine loads. Raises UnusableImage and EngineTrouble."""
    path = Path(reference)
    if path.is_file():
        found = _load_image(path)
        return Image(_name(path.name), version_of(found.id), reference, path.resolve())
    found = _find_image(reference)
    return Image(_name(reference), version_of(found.id), reference)


def ensure_image(image: Image) -> str:
    """Makes sure that the engine has the image, and returns its id. Raises UnusableImage and
    EngineTrouble."""
    try:
        _find_image(image.id)
    except UnusableImage:
        if image.archive is None:
            raise UnusableImage(
                f"The engine does not have the image {image.reference} ({image.id}): load it there"
                " with `docker load`, or enter the bot as an archive, image:PATH."
            ) from None
        # The engine computes the id from everything that the image consists of.
        found = _load_image(image.archive)
        if found.id != image.id:
            raise UnusableImage(
                f"The archive of the image {image.reference} holds {found.id}, not {image.id}; it"
                " is damaged, or this engine computes ids differently from the one that wrote it."
            ) from None
    return image.id


def _find_image(reference: str) -> EngineImage:
    """Returns the engine's image of that name. Raises UnusableImage and EngineTrouble."""
    try:
        return _checked(find_engine().client.images.get(reference), reference)
    except ImageNotFound:
        raise UnusableImage(
            f"The engine has no image {reference}; build it, or load it with `docker load`. The"
            " arena does not pull images."
        ) from None
    except APIError as error:
        raise UnusableImage(
            f"{reference} is not the name of an image: {_first_line(error)}."
        ) from None


def _load_image(archive: Path) -> EngineImage:
    """Loads an archive written by `docker save` into the engine, and returns the one image in it.
    Raises UnusableImage and EngineTrouble."""
    if archive.stat().st_size > ARCHIVE_LIMIT_BYTES:
        raise UnusableImage(
            f"{archive} is larger than {BYTES_LIMIT >> 20} MiB; make the image smaller."
        )
    client = find_engine().client
    try:
        with archive.open("rb") as file:
            images = client.images.load(file)
    except DockerException as error:
        raise UnusableImage(
            f"{archive} is not an image archive ({_first_line(error)}); write it with"
            " `docker save`."
        ) from None
    except RequestException as error:
        raise EngineTrouble(
            f"The container engine failed while loading {archive}: {_first_line(error)}."
        ) from None
    different = {image.id: image for image in images}  # one may have several tags
    if len(different) != 1:
        raise UnusableImage(f"{archive} holds {len(different)} images; it must hold exactly one.")
    return _checked(images[0], str(archive))


def _checked(image: EngineImage, reference: str) -> EngineImage:
    config = image.attrs["Config"] or {}
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
    return image


def arena_of(pid: int) -> str:
    """Returns the beginning of the label of every container of the arena with that process: no
    other arena on any machine has it, even if a process id is reused."""
    return f"{os.uname().nodename}/{mark_of(pid)}"


def remove_leftovers() -> list[str]:
    """Removes the containers of arenas of this machine that have ended, and returns their names.
    Raises EngineTrouble."""
    removed = []
    client = find_engine().client
    try:
        found = client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)
        for container in found:
            if _is_leftover(container.labels[LABEL]):
                with suppress(APIError):  # another arena removes it as well
                    container.remove(force=True)
                    removed.append(str(container.name))
    except DockerException as error:
        raise EngineTrouble(f"The container engine failed: {_first_line(error)}.") from None
    return removed


def _is_leftover(arena: str) -> bool:
    machine, mark = arena.split("/")[:2]
    return machine == os.uname().nodename and has_ended(mark)


def _name(reference: str) -> str:
    """Returns the bot's name: `mine` for `bots/mine:3` as well as for `mine.tar.gz`."""
    last = reference.rpartition("/")[2].partition("@")[0].partition(":")[0].partition(".")[0]
    return re.sub("[^a-z0-9]+", "-", last.lower()).strip("-")[:40] or "bot"


def _first_line(error: Exception) -> str:
    text = getattr(error, "explanation", None) or str(error)
    return str(text).strip().splitlines()[0].rstrip(".")
