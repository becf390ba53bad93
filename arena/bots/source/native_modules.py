"""Recognises native modules that the Python for bots cannot load, such as those that pip installed
into the bot's folder for the Python of its author."""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bots.source.files import Entry
from arena.bots.source.tree import open_file

PYTHONS = re.compile(r"python(3(\.\d+)?)?")
# The module, then the Python and the system that it was built for, as in PEP 3149. A stable ABI has
# no system, and a module without any of that is for every Python.
MODULE = re.compile(r"(?P<module>.+?)(\.(?P<built_for>cpython-[^/]+|abi3))?\.so", re.S)
# Of an ELF file: its mark, the width of its words, and the processor.
HEADER_BYTES = 20
ELF = b"\x7fELF"


@dataclass(frozen=True)
class PythonBuild:
    """A Python that loads modules. `tag`: what the names of modules built for it have, such as
    cpython-311-x86_64-linux-gnu; `header`: the beginning of its program."""

    version: str
    tag: str
    header: bytes

    @classmethod
    def of_bots(cls) -> PythonBuild:
        """Returns the Python for bots, which is an environment of the arena's own."""
        with Path(sys.executable).open("rb") as program:
            header = program.read(HEADER_BYTES)
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return cls(version, str(sysconfig.get_config_var("SOABI")), header)

    def loads(self, built_for: str | None, entry: Entry) -> bool:
        """Returns whether it loads a module."""
        if built_for not in (None, "abi3"):
            return built_for == self.tag
        if not self.header.startswith(ELF) or entry.kind == "link":
            return True
        with open_file(entry.path) as file:
            return _kind(file.read(HEADER_BYTES)) == _kind(self.header)


def about_foreign_modules(run: Sequence[str], content: Sequence[Entry], python: PythonBuild) -> str:
    """Returns a sentence about the modules of a bot that this Python cannot load; empty if there
    are none, or if the bot does not run on it. Such a module is no mistake if its package does
    without."""
    if not PYTHONS.fullmatch(run[0]):
        return ""
    foreign = list(_foreign(content, python))
    if not foreign:
        return ""
    name, built_for = foreign[0]
    were = f" and {len(foreign) - 1:,} more were" if len(foreign) > 1 else " was"
    return (
        f"{name}{were} built for {built_for or 'another system'}, but bots run here on Python"
        f" {python.version} ({python.tag}). Leave out packages that the arena has; install others"
        f" by: pip install --target . --only-binary=:all: --python-version {python.version} PACKAGE"
    )


def _foreign(content: Sequence[Entry], python: PythonBuild) -> Iterator[tuple[str, str | None]]:
    """Yields the modules of which no file is for this Python: the name of a file, and its tag."""
    modules: dict[str, list[tuple[str | None, Entry]]] = {}
    for entry in content:
        if match := MODULE.fullmatch(entry.name):
            modules.setdefault(match["module"], []).append((match["built_for"], entry))
    for files in modules.values():
        if not any(python.loads(built_for, entry) for built_for, entry in files):
            built_for, entry = files[0]
            yield entry.name, None if built_for == "abi3" else built_for


def _kind(header: bytes) -> tuple[bytes, bytes]:
    return header[:5], header[18:20]
