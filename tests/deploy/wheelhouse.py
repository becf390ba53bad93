"""Wheels of everything that the image's build installs, packed from this environment, so that the
build needs no network."""

from __future__ import annotations

import re
import tomllib
import zipfile
from importlib.metadata import Distribution
from pathlib import Path

from arena.bots.sandbox.python_runtime import closure
from tools.wheels import PROJECTS


def fill(folder: Path) -> None:
    """Writes the wheels that building the arena requires, and those it depends on."""
    names: set[str] = set()
    for project in PROJECTS:
        said = tomllib.loads((project / "pyproject.toml").read_text())
        wanted = [*said["build-system"]["requires"], *said["project"]["dependencies"]]
        names |= {re.split(r"[<>=\[]", name)[0] for name in wanted}
    for package in closure(names - {"sevens-games", "sevens-sdk"} | {"hiredis"}):
        write_wheel(package, folder)


def write_wheel(package: Distribution, folder: Path) -> None:
    """Writes the wheel of an installed distribution, without its scripts, which pip creates from
    the metadata."""
    about = package.read_text("WHEEL") or ""
    [*_, tag] = re.findall(r"^Tag: (.+)$", about, re.MULTILINE)
    name = re.sub(r"[-_.]+", "_", package.name)
    files = [file for file in package.files or () if file.parts[0] != ".."]
    [record] = [file for file in files if file.name == "RECORD" and len(file.parts) == 2]
    modules = [file for file in files if file.suffix != ".pyc" and file != record]
    with zipfile.ZipFile(folder / f"{name}-{package.version}-{tag}.whl", "w") as wheel:
        for file in modules:
            wheel.write(str(file.locate()), str(file))
        wheel.writestr(str(record), "".join(f"{file},,\n" for file in [*modules, record]))
