"""The wheels, built once, and an environment that contains nothing else of the project."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.run_folder import once_a_run
from tools.wheels import PROJECTS, build


@dataclass(frozen=True)
class Installed:
    """An environment into which the wheels were installed."""

    folder: Path

    def __call__(self, *command: str, cwd: Path) -> str:
        """Runs a command of that environment, which must succeed; returns its output."""
        program, *arguments = command
        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(cwd)}
        done = subprocess.run(
            [self.folder / "bin" / program, *arguments],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def wheels(run_folder: Path) -> list[Path]:
    """The wheels of the rules, the Python SDK and the arena, without compiled modules."""

    def build_all(folder: Path) -> None:
        folder.mkdir()
        for project in PROJECTS:
            build(project, folder)

    return sorted(once_a_run(run_folder, "wheels", build_all).glob("*.whl"))


@pytest.fixture(scope="session")
def installed(run_folder: Path, wheels: list[Path]) -> Installed:
    """An environment with the wheels, installed without an index; their dependencies are this
    environment's."""
    return Installed(once_a_run(run_folder, "installed", lambda folder: fresh(folder, wheels)))


@pytest.fixture(scope="session")
def demonstrated(run_folder: Path, installed: Installed) -> Path:
    """A folder in which the installed arena has played its demo, for tests that only read it."""

    def demonstrate(folder: Path) -> None:
        folder.mkdir()
        played = ("--game", "xeri", "--matches", "4", "--workers", "1", "--sandbox", "none")
        installed("arena", "demo", *played, cwd=folder)

    return once_a_run(run_folder, "demonstrated", demonstrate)


def fresh(folder: Path, wheels: list[Path]) -> Path:
    """Creates an environment with the wheels and this environment's other packages."""
    venv.create(folder)
    python = folder / "bin" / "python"
    install = ["install", "--quiet", "--no-index", "--no-deps", *map(str, wheels)]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, *install], check=True)
    [site] = folder.glob("lib/python*/site-packages")
    # The .pth files of that folder, which lead to the checkout, are not read.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder
