"""The examples of the SDKs, built."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SDKS = Path(__file__).parents[2] / "sdk"

Examples = Callable[[str], Path]


@pytest.fixture(scope="session")
def examples_of(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Examples:
    """Returns the folder of a language's examples, which are built once for all processes of a run:
    a second build may replace the program that a test of another process is about to start."""
    own = tmp_path_factory.getbasetemp()
    of_all = own if worker_id == "master" else own.parent

    def build(language: str) -> Path:
        built = of_all / f"examples-in-{language}-are-built"
        with locked(SDKS / language):
            if not built.exists():
                make(language, "build")
                built.touch()
        return SDKS / language / "examples"

    return build


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks a folder against other processes that lock it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def make(language: str, target: str) -> None:
    """Runs make in the folder of an SDK."""
    subprocess.run(["make", "--directory", SDKS / language, target], check=True)
