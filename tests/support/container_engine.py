"""A container engine for the tests, and images of bots.

The machine's own engine is used if it answers. Otherwise, if run as root, the tests start one, with
a temporary socket and data folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path

import docker
import pytest

from arena.bots import find_bot
from arena.bots.container import engine_version
from arena.bots.source import EngineTrouble, Image
from arena.bots.watchdog.remove_containers import EngineConnection
from tests.support.patience import PATIENCE_S, until
from tools.bot_images import BotImages, bot_images

NO_NETWORK = ("--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false")

BuildImage = Callable[..., str]


@cache
def engine_can_be_had() -> bool:
    return own_engine_answers() or (os.geteuid() == 0 and shutil.which("dockerd") is not None)


@cache
def own_engine_answers() -> bool:
    try:
        engine_version()
    except EngineTrouble:
        return False
    return True


def find_image(reference: str) -> Image:
    """Returns the bot that a reference names, also from within an event loop, where `find_bot`
    cannot ask the engine."""
    with ThreadPoolExecutor(1) as threads:
        image = threads.submit(find_bot, f"image:{reference}").result()
    assert isinstance(image, Image)
    return image


def answers(path: Path) -> bool:
    try:
        with closing(EngineConnection(str(path))) as connection:
            return connection.ask("GET", "/_ping") == b"OK"
    except OSError:
        return False


@contextmanager
def running_engine(folder: Path) -> Iterator[str]:
    """Runs an engine with all its data in a folder; yields its address."""
    address, said = f"unix://{folder}/docker.sock", (folder / "log").read_text
    places = ("--data-root", folder / "data", "--exec-root", folder / "exec")
    pidfile = ("--pidfile", folder / "pid")
    with (folder / "log").open("w") as log:
        command = ["dockerd", "-H", address, *map(str, (*places, *pidfile)), *NO_NETWORK]
        daemon = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def is_up() -> bool:
        assert daemon.poll() is None, said()
        return answers(folder / "docker.sock")

    try:
        until(is_up, "the container engine", said=said)
        yield address
    finally:
        daemon.terminate()
        daemon.wait(PATIENCE_S)


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    """The engine that the arena finds."""
    with ExitStack() as stack:
        if not own_engine_answers():
            # The paths of pytest's folders are too long for sockets.
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="engine-"))
            address = stack.enter_context(running_engine(Path(folder)))
            environment = stack.enter_context(pytest.MonkeyPatch.context())
            environment.setenv("DOCKER_HOST", address)
        with closing(docker.from_env()) as client:
            yield client


@pytest.fixture(scope="session")
def images(engine: docker.DockerClient) -> Iterator[BotImages]:
    """Builds images of bots."""
    with bot_images(engine) as images:
        yield images


@pytest.fixture(scope="session")
def build_image(images: BotImages) -> BuildImage:
    """Builds an image from a bot's folder, the command that runs it, and further lines of a
    Dockerfile; returns a reference to it."""
    return images.build
