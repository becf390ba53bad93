"""The examples of the SDKs, built."""

from __future__ import annotations

import hashlib
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.run_folder import locked

TOP = Path(__file__).parents[2]
SDKS = TOP / "sdk"
BUILT_FROM = TOP / "build" / "sdk-examples"

Examples = Callable[[str], Path]


@pytest.fixture(scope="session")
def examples_of(run_folder: Path) -> Examples:
    """Returns the folder of a language's examples.

    They are built once for all processes of a run: a second build may replace the program that a
    test of another process is about to start. A later run builds them again if anything has changed
    of which they are built.
    """

    def build(language: str) -> Path:
        done = run_folder / f"examples-in-{language}"
        with locked(SDKS / language):
            if not done.exists():
                build_if_changed(language)
                done.touch()
        return SDKS / language / "examples"

    return build


def build_if_changed(language: str) -> None:
    note, digest = BUILT_FROM / language, digest_of_sources(language)
    if digest and note.exists() and note.read_text() == digest and programs_exist(language):
        return
    note.unlink(missing_ok=True)
    make(language, "build")
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(digest)


def digest_of_sources(language: str) -> str:
    """Returns a digest of all files of the SDK and of the protocol; empty without Git."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    found = subprocess.run(
        [*listed, f"sdk/{language}", "proto"], cwd=TOP, capture_output=True, check=False
    )
    digest = hashlib.sha256()
    for name in sorted(filter(None, found.stdout.decode().split("\0"))):
        content = (TOP / name).read_bytes() if (TOP / name).is_file() else b""
        digest.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest() if found.returncode == 0 else ""


def programs_exist(language: str) -> bool:
    """Returns whether the examples have the files that their manifests run."""
    folders = (SDKS / language / "examples").glob("*/")
    runs = [(one, tomllib.loads((one / "bot.toml").read_text())["run"]) for one in folders]
    return all(any((folder / word).is_file() for word in run) for folder, run in runs)


def make(language: str, target: str) -> None:
    """Runs make in the folder of an SDK."""
    subprocess.run(["make", "--directory", SDKS / language, target], check=True)
