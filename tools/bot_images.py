"""Builds images of Python bots from files of this machine, without fetching anything from a
registry."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import docker
from docker.errors import ImageNotFound

from arena.bots.sandbox import python_folder

RUNTIME = Path("/opt/python")
# Parts of the standard library, and packages, that these bots do not need. They have most of the
# bytes.
LEFT_OUT = {"test", "tests", "idlelib", "tkinter", "ensurepip", "__pycache__", "site-packages"}
LEFT_OUT |= {"pip", "setuptools", "dist-packages", "numpy", "numpy.libs"}


class BotImages:
    """Builds images of bots.

    `base`: the image that they extend. It has the Python that bots run on, and no command.
    """

    def __init__(self, client: docker.DockerClient) -> None:
        self.base = f"sevens-python:{uuid.uuid4()}"
        self.made: list[str] = []
        self._client = client
        with tempfile.TemporaryFile() as root:
            self._python = _write_root(root)
            root.seek(0)
            repository, _, tag = self.base.partition(":")
            client.api.import_image_from_data(root, repository=repository, tag=tag)
        self.made.append(self.base)

    def build(self, folder: Path, words: Sequence[str], *more: str, tag: str = "") -> str:
        """Builds an image from a bot's folder and returns a reference to it. Writes a Dockerfile
        with the given lines and command into the folder."""
        tag = tag or f"sevens-bot-{uuid.uuid4()}"
        run = json.dumps([self._python if word == "python" else word for word in words])
        lines = [f"FROM {self.base}", "COPY . /bot", "WORKDIR /bot", f"ENTRYPOINT {run}", *more]
        (folder / "Dockerfile").write_text("\n".join(lines))
        self._client.images.build(path=str(folder), tag=tag, network_mode="none", rm=True)
        self.made.append(tag)
        return tag

    def remove(self) -> None:
        """Removes the images that still exist."""
        for tag in reversed(self.made):
            with suppress(ImageNotFound):
                self._client.images.remove(tag, force=True)


@contextmanager
def bot_images(client: docker.DockerClient) -> Iterator[BotImages]:
    """Builds images, and removes them afterwards."""
    images = BotImages(client)
    try:
        yield images
    finally:
        images.remove()


def _write_root(file: IO[bytes]) -> str:
    """Writes the files that Python needs into an archive; returns the interpreter's path. All
    keep their paths except the bots' Python, which may be below /tmp: in a container, that is
    another folder."""
    runtime = python_folder()
    python = runtime / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('stdlib'))"
    stdlib = Path(subprocess.check_output([python, "-c", ask], text=True).strip())
    hops = [python]
    while hops[-1].is_symlink():
        hops.append(hops[-1].parent / hops[-1].readlink())
    files = [*hops, runtime / "pyvenv.cfg", *_files(stdlib)]
    for packages in runtime.glob("lib/python*/site-packages"):
        files += _files(packages)
    binaries = [hops[-1], *(path for path in files if path.suffix == ".so")]
    with tarfile.open(fileobj=file, mode="w") as root:
        for path in files:
            inside = RUNTIME / path.relative_to(runtime) if path.is_relative_to(runtime) else path
            root.add(path, arcname=str(inside), recursive=False)
        for library in libraries(binaries):
            if not library.is_relative_to(runtime):  # part of a package, and already in the archive
                root.add(library.resolve(), arcname=str(library))
    return str(RUNTIME / "bin" / "python")


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in LEFT_OUT or path.name.startswith(("_tkinter", "config-")):
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def libraries(binaries: Sequence[Path]) -> set[Path]:
    """Returns the shared libraries that these programs and modules are linked with."""
    said = subprocess.run(["ldd", *binaries], capture_output=True, text=True, check=False).stdout
    words = {word for line in said.splitlines() if line.startswith("\t") for word in line.split()}
    paths = {Path(os.path.normpath(word)) for word in words if word.startswith("/")}
    return {path for path in paths if path.exists()}
