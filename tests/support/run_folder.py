"""The folder that all processes of a run share: what takes long to create is created there once,
and each process copies it."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.served_pages import served_pages


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of this run: that of pytest, or the one above those of its processes."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


def once_a_run(run_folder: Path, name: str, fill: Callable[[Path], object]) -> Path:
    """Returns a folder of the run, which the first process that asks for it has filled."""
    place = run_folder / f"run-{name}"
    place.mkdir(exist_ok=True)
    with locked(place):
        if not (place / "filled").exists():
            fill(place / "data")
            (place / "filled").touch()
    return place / "data"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks a folder against other processes that lock it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def data_folder(fill: Callable[[Path], object]) -> Any:
    """Returns a fixture: the path of a data folder, this process's copy of what `fill` has made
    once. Tests that write copy it again."""

    @pytest.fixture(scope="session")
    def folder(
        run_folder: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
    ) -> Path:
        filled = once_a_run(run_folder, str(request.fixturename), fill)
        return shutil.copytree(filled, tmp_path_factory.mktemp("shown") / "data")

    return folder


def pages_of(folder: str) -> Any:
    """Returns a fixture: the origin of the pages of the data folder that the named fixture is."""

    @pytest.fixture(scope="session")
    def origin(request: pytest.FixtureRequest) -> Iterator[str]:
        with served_pages(request.getfixturevalue(folder)) as served:
            yield served

    return origin
