"""The Python that bots run on: an environment of their own, which contains nothing of the arena's.

It is copied from the packages that are installed with the arena, so that building it takes neither
a network nor an index. `python -m arena.bots.sandbox` builds it, and rebuilds it once one of those
packages has changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
import shutil
import sys
import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from arena.bots.sandbox.runtimes import RUNTIME_FOLDER, STAMP

# The packages that bots find in it; it also has everything that these need.
PACKAGES = ("sevens-games", "sevens-sdk", "numpy")


def build_if_outdated() -> None:
    """Builds the runtime if there is none, or if it was built from other packages. Raises OSError
    if it cannot be written."""
    packages = closure(PACKAGES)
    recipe = "\n".join([sys.version, *map(identity, packages)])
    if is_current(recipe):
        return
    RUNTIME_FOLDER.parent.mkdir(parents=True, exist_ok=True)
    with (RUNTIME_FOLDER.parent / "building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_current(recipe):  # another process may have built it meanwhile
            print("Building the Python runtime for bots ...", file=sys.stderr, flush=True)
            build(packages, recipe)


def is_current(recipe: str) -> bool:
    return STAMP.exists() and STAMP.read_text() == recipe


def build(packages: Iterable[Distribution], recipe: str) -> None:
    """Builds the runtime next to the old one, then replaces that: bots may be running on it."""
    new, old = RUNTIME_FOLDER.with_suffix(".new"), RUNTIME_FOLDER.with_suffix(".old")
    for remains in (new, old):
        shutil.rmtree(remains, ignore_errors=True)
    # With pip, by which a bot's build can install packages from its archive.
    venv.create(new, symlinks=True, with_pip=True)
    [site] = new.glob("lib/python*/site-packages")
    for package in packages:
        copy_files(package, site)
    for script in (new / "bin").iterdir():
        if not script.name.startswith("python"):
            script.unlink()  # it contains the path of `new`; `python -m` does not need it
    (new / STAMP.name).write_text(recipe)
    if RUNTIME_FOLDER.exists():
        RUNTIME_FOLDER.rename(old)
    new.rename(RUNTIME_FOLDER)
    shutil.rmtree(old, ignore_errors=True)


def closure(names: Iterable[str]) -> list[Distribution]:
    """Returns the installed distributions of these names and of all that they require."""
    found: dict[str, Distribution] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found[name] = distribution(name)
        pending += filter(is_installed, required_by(found[name]))
    return [found[name] for name in sorted(found)]


def required_by(package: Distribution) -> Iterator[str]:
    """Yields the names that a distribution requires without extras, on any platform."""
    for requirement in package.requires or ():
        if "extra ==" not in requirement and (match := re.match(r"[\w.-]+", requirement)):
            yield match[0]


def is_installed(name: str) -> bool:
    """Returns False for what a marker excludes here (`; python_version < "3.11"`)."""
    return next(iter(distributions(name=name)), None) is not None


def copy_files(package: Distribution, site: Path) -> None:
    """Copies the modules of an installed distribution, its metadata included."""
    for folder in editable_folders(package):
        shutil.copytree(folder, site, dirs_exist_ok=True)
    for file in package.files or ():
        source = Path(str(file.locate()))
        # Scripts are outside; the .pth file of an editable installation leads to its folder.
        if file.parts[0] == ".." or file.suffix == ".pth":
            continue
        if file.suffix == ".pyc" and not source.exists():
            continue
        target = site / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def identity(package: Distribution) -> str:
    """Returns name and version of a distribution, and a digest of its modules if it is editable."""
    folders = editable_folders(package)
    files = sorted(file for folder in folders for file in folder.rglob("*.py*") if file.is_file())
    sources = b"".join(file.read_bytes() for file in files if file.suffix != ".pyc")
    digest = f" {hashlib.sha256(sources).hexdigest()}" if folders else ""
    return f"{package.name} {package.version}{digest}"


def editable_folders(package: Distribution) -> list[Path]:
    """Returns the folders that contain the modules of an editable installation; none if it is not
    one."""
    origin = json.loads(package.read_text("direct_url.json") or "{}")
    if not origin.get("dir_info", {}).get("editable"):
        return []
    checkout = Path(url2pathname(urlsplit(origin["url"]).path))
    links = [file for file in package.files or () if file.suffix == ".pth"]
    lines = [line for link in links for line in link.read_text().splitlines()]
    return [Path(line) for line in lines if Path(line).is_relative_to(checkout)]
