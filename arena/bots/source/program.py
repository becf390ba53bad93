"""A bot that is a program: a folder with a manifest, or a single file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arena.bots.source.files import Entry, digest, file_entry, list_content
from arena.bots.source.image import Image
from arena.bots.source.manifest import Limits, Manifest


@dataclass(frozen=True)
class Program:
    """A bot that is a program.

    `folder`: the folder that contains it.
    `file`: the name of its only file if the bot is a single `.py` file, else None.
    """

    folder: Path
    file: str | None
    manifest: Manifest

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
        return list_content(self.folder)


@dataclass(frozen=True)
class Builtin:
    """A bot that is part of the arena: `builtin:random`."""

    name: str
    games: tuple[str, ...] = ()
    version: str = ""


# A host starts these, as opposed to what is part of the arena.
Runnable = Program | Image
Source = Runnable | Builtin
