"""A container engine for the tests, and an image with the Python that bots run on.

The engine is the machine's own if one answers. Otherwise root starts one, which listens on a socket
of its own and keeps all it has in a folder of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from pathlib import Path

import docker
import pytest
from docker.errors import ImageNotFound

from arena.bots.engine import engine as find_engine
from arena.bots.image import EngineTrouble
from arena.bots.reaper import Connection
from arena.bots.runtime import python_runtime

NO_NETWORK = ("--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false")
PATIENCE_S = 30.0
BASE = "sevens-test-python"
RUNTIME = Path("/opt/python")
# Of the standard library, what no bot needs; most of its bytes.
LEFT_OUT = {"test", "tests", "idlelib", "tkinter", "ensurepip", "__pycache__", "site-packages"}
LEFT_OUT |= {"pip", "setuptools", "dist-packages", "numpy", "numpy.libs"}

BuildImage = Callable[..., str]


@cache
def engine_can_be_had() -> bool:
    return own_engine_answers() or (os.geteuid() == 0 and shutil.which("dockerd") is not None)


@cache
def own_engine_answers() -> bool:
    try:
        find_engine()
    except EngineTrouble:
        return False
    return True


def answers(path: Path) -> bool:
    try:
        with closing(Connection(str(path))) as connection:
            return connection.ask("GET", "/_ping") == b"OK"
    except OSError:
        return False


@contextmanager
def running_engine(folder: Path) -> Iterator[str]:
    """Starts an engine that keeps all it has in a folder; yields its address."""
    address = f"unix://{folder}/docker.sock"
    places = ("--data-root", folder / "data", "--exec-root", folder / "exec")
    pidfile = ("--pidfile", folder / "pid")
    with (folder / "log").open("w") as log:
        command = ["dockerd", "-H", address, *places, *pidfile, *NO_NETWORK]
        daemon = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        give_up_at = time.monotonic() + PATIENCE_S
        while not answers(folder / "docker.sock"):
            assert daemon.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < give_up_at, (folder / "log").read_text()
            time.sleep(0.1)
        yield address
    finally:
        daemon.terminate()
        daemon.wait(PATIENCE_S)


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    """The engine that the arena finds."""
    with ExitStack() as stack:
        if not own_engine_answers():
            # pytest's own folders have paths too long for sockets.
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="engine-"))
            address = stack.enter_context(running_engine(Path(folder)))
            environment = stack.enter_context(pytest.MonkeyPatch.context())
            environment.setenv("DOCKER_HOST", address)
        client = find_engine().client
        yield client
        client.close()
        find_engine.cache_clear()


@pytest.fixture(scope="session")
def build_image(engine: docker.DockerClient) -> Iterator[BuildImage]:
    """Makes an image of a bot's folder, the words that run it, and further lines of a Dockerfile;
    returns a reference to it."""
    built = []
    with tempfile.TemporaryFile() as root:
        python = write_root(root)
        root.seek(0)
        engine.api.import_image_from_data(root, repository=BASE)

    def build(folder: Path, words: Sequence[str], *more: str) -> str:
        tag = f"sevens-test-{uuid.uuid4()}"
        run = json.dumps([python if word == "python" else word for word in words])
        lines = [f"FROM {BASE}", "COPY . /bot", "WORKDIR /bot", f"ENTRYPOINT {run}", *more]
        (folder / "Dockerfile").write_text("\n".join(lines))
        engine.images.build(path=str(folder), tag=tag, network_mode="none", rm=True)
        built.append(tag)
        return tag

    yield build
    for tag in [*built, BASE]:
        with suppress(ImageNotFound):  # a test has removed it
            engine.images.remove(tag, force=True)


def write_root(file: object) -> str:
    """Writes the files that Python needs into an archive; returns the interpreter's path. All are
    where they are on this machine but the bots' Python, which may lie below /tmp: that is another
    one in a container."""
    runtime = python_runtime()
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
    with tarfile.open(fileobj=file, mode="w") as root:  # type: ignore[call-overload]
        for path in files:
            inside = RUNTIME / path.relative_to(runtime) if path.is_relative_to(runtime) else path
            root.add(path, arcname=str(inside), recursive=False)
        for library in _libraries(binaries):
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


def _libraries(binaries: Sequence[Path]) -> set[Path]:
    """The shared libraries that programs and modules are linked to."""
    said = subprocess.run(["ldd", *binaries], capture_output=True, text=True, check=False).stdout
    words = {word for line in said.splitlines() if line.startswith("\t") for word in line.split()}
    return {Path(word) for word in words if word.startswith("/") and Path(word).exists()}
