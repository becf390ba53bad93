"""A bot that is a program: a folder with a manifest, or a single file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arena.bots.source.files import Entry, digest, file_entry, list_content
from arena.bots.source.image import Image
from arena.bots.source.manifest import Limits, Manifest
from arena.bots.source.selection import select
from arena.bots.source.tree import ContentError, open_file

HEAD_BYTES = 256  # the kernel reads no more of the line that names an interpreter
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Program:
    """A bot that is a program.

    `folder`: the folder that contains it.
    `file`: the name of its only file if the bot is a single `.py` file, else None.
    `kept`: whether the arena keeps its files, so that all of them are part of it.
    """

    folder: Path
    file: str | None
    manifest: Manifest
    kept: bool = False

    @property
    def name(self) -> str:
        return self.manifest.name

    @property
    def limits(self) -> Limits:
        return self.manifest.limits

    @property
    def games(self) -> tuple[str, ...]:
        """The slugs of the games it plays; none means every game."""
        return self.manifest.games

    @cached_property
    def version(self) -> str:
        """The digest of its files, computed on first use. Raises ContentError."""
        return digest(self.content())

    def content(self) -> list[Entry]:
        """Returns its files. Raises ContentError."""
        if self.file is not None:
            return [file_entry(self.folder / self.file)]
        return list_content(self.folder) if self.kept else select(self.folder).entries

    def private(self) -> list[str]:
        """Returns the paths of the files that are left out because they may be secret. Raises
        ContentError."""
        return select(self.folder).private if self.file is None and not self.kept else []


@dataclass(frozen=True)
class Builtin:
    """A bot that is part of the arena: `builtin:random`."""

    name: str
    games: tuple[str, ...] = ()
    version: str = ""


# The bots that a host starts; the others are part of the arena.
Runnable = Program | Image
Source = Runnable | Builtin


def check_scripts(folder: Path, manifest: Manifest) -> None:
    """Raises ContentError if a script that `run` or `build` starts by its `#!` line cannot start:
    the kernel takes a carriage return for part of the interpreter's name."""
    for program in (manifest.run[0], *(manifest.build or ())[:1]):
        if "/" in program and not program.startswith(("/", "..")):
            _check(folder / program)


def _check(script: Path) -> None:
    try:
        with open_file(script) as file:
            line, end, _ = file.read(HEAD_BYTES).partition(b"\n")
    except (OSError, ContentError):  # not built yet, which is reported when it is started
        return
    if line.startswith(BYTE_ORDER_MARK + b"#!"):
        raise ContentError(
            f"{script} begins with a byte order mark, so that its #! line is not seen: save the"
            " file as UTF-8 without one."
        )
    if line.startswith(b"#!") and end and line.endswith(b"\r"):
        raise ContentError(
            f"The #! line of {script} ends with a carriage return (Windows line ends), so that no"
            f" interpreter is found: sed -i 's/\\r$//' {script.name}"
        )
