"""The container engine (Docker's, or one that speaks as it does), and the images it has.

DOCKER_HOST in the environment says where it is, if not where it usually is. ARENA_CONTAINER_RUNTIME
names the runtime that bots' containers get, of those that the engine knows (`runsc`, say).
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from pathlib import Path

import docker
import psutil
from docker.errors import APIError, DockerException, ImageNotFound
from docker.models.images import Image as EngineImage
from requests.exceptions import RequestException

from arena.bots.source.files import BYTES_LIMIT
from arena.bots.source.image import ABOUT_LIMIT_BYTES, EngineTrouble, UnusableImage
from arena.bots.watchdog.remove_containers import Connection

RUNTIME = "ARENA_CONTAINER_RUNTIME"
# On every container: which arena it belongs to.
LABEL = "sevens-arena"
# It is sent to workers as a bot's files are, with what is told of it.
ARCHIVE_LIMIT_BYTES = BYTES_LIMIT - ABOUT_LIMIT_BYTES
UNIX = "unix://"
USUAL = "unix:///var/run/docker.sock"


@dataclass(frozen=True)
class Engine:
    """A connection to the engine. `socket`: where it listens."""

    client: docker.DockerClient
    socket: str


@cache
def engine() -> Engine:
    """Connects to the engine, once a process. Raises EngineTrouble."""
    address = os.environ.get("DOCKER_HOST", USUAL)
    if not address.startswith(UNIX):
        raise EngineTrouble(
            f"DOCKER_HOST is {address}; the container engine has to listen on a Unix socket of this"
            " machine, since bots reach the arena through one of its folders."
        )
    path = address.removeprefix(UNIX)
    try:
        with closing(Connection(path)) as trial:
            trial.ask("GET", "/_ping")
        client = docker.from_env()
    except (OSError, HTTPException, DockerException) as error:
        raise EngineTrouble(
            f"Bots that are images need a container engine, and none answers at {path}"
            f" ({_first_line(error)}). Start Docker, or say with DOCKER_HOST where it listens."
        ) from None
    return Engine(client, path)


def find_image(reference: str) -> EngineImage:
    """Returns what the engine has under a reference. Raises UnusableImage and EngineTrouble."""
    try:
        return _checked(engine().client.images.get(reference), reference)
    except ImageNotFound:
        raise UnusableImage(
            f"There is no image {reference} in the engine; build it, or load it with"
            " `docker load`. The arena fetches none from elsewhere."
        ) from None
    except APIError as error:
        raise UnusableImage(f"{reference} is no image's name: {_first_line(error)}.") from None


def load_image(archive: Path) -> EngineImage:
    """Gives the engine an archive that `docker save` has written, and returns the one image in it.
    Raises UnusableImage and EngineTrouble."""
    if archive.stat().st_size > ARCHIVE_LIMIT_BYTES:
        raise UnusableImage(
            f"{archive} is larger than {BYTES_LIMIT >> 20} MiB; make the image smaller."
        )
    client = engine().client
    try:
        with archive.open("rb") as file:
            images = client.images.load(file)
    except DockerException as error:
        raise UnusableImage(
            f"{archive} is no archive of an image ({_first_line(error)}); write it with"
            " `docker save`."
        ) from None
    except RequestException as error:
        raise EngineTrouble(
            f"The container engine failed while it loaded {archive}: {_first_line(error)}."
        ) from None
    different = {image.id: image for image in images}  # one may have several tags
    if len(different) != 1:
        raise UnusableImage(f"{archive} holds {len(different)} images; it should hold one.")
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
            f"The image {reference} has VOLUME {', '.join(sorted(volumes))}, and bots have no disk"
            " to write to; take that out. They may write to /tmp."
        )
    return image


def arena_of(pid: int) -> str:
    """What the marks of containers begin with that belong to the arena with that process."""
    return f"{os.uname().nodename}/{pid}/{int(psutil.Process(pid).create_time())}"


def remove_leftovers() -> list[str]:
    """Removes the containers of arenas of this machine that are no more; returns their names.
    Raises EngineTrouble."""
    removed = []
    client = engine().client
    try:
        found = client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)
        for container in found:
            if _is_leftover(container.labels[LABEL]):
                with suppress(APIError):  # another arena removes it as well
                    container.remove(force=True)
                    removed.append(str(container.name))
    except DockerException as error:
        raise EngineTrouble(f"The container engine fails: {_first_line(error)}.") from None
    return removed


def _is_leftover(arena: str) -> bool:
    machine, pid = arena.split("/")[:2]
    if machine != os.uname().nodename:
        return False
    return not psutil.pid_exists(int(pid)) or not arena.startswith(arena_of(int(pid)))


def _first_line(error: Exception) -> str:
    text = getattr(error, "explanation", None) or str(error)
    return str(text).strip().splitlines()[0].rstrip(".")
