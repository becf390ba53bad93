"""BOT references: from what the user wrote to a bot that can be started."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from arena.bots.in_process import BUILTINS
from arena.bots.source.files import ContentError, Entry, digest, file_entry, list_content
from arena.bots.source.image import EngineTrouble, Image, UnusableImage, image_of, kept_image
from arena.bots.source.manifest import MANIFEST, Limits, Manifest, ManifestError, read_manifest

# Beside the files of a version, DIGEST, lies what its build made of them. What is kept of an image
# lies apart: whatever files a program has, they must not be taken for that.
BUILT = ".built"
IMAGE = ".image"


class UnknownBot(ValueError):
    """A BOT reference that leads to no usable bot. Its text says in sentences what is wrong with
    it, and what would do."""


@dataclass(frozen=True)
class Program:
    """A bot that is a program. `folder`: where it lies. `file`: the name of its only file if the
    bot is a single `.py` file, else None."""

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
        """The digest of its files, worked out when first asked for. Raises ContentError."""
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


# What a host starts, as opposed to what is part of it.
Runnable = Program | Image
Source = Runnable | Builtin


def find_bot(reference: str) -> Source:
    """Returns the bot that a BOT reference names. Raises UnknownBot."""
    kind, colon, rest = reference.partition(":")
    if colon and kind == "builtin":
        return _builtin(rest)
    return _runnable(reference, [f"builtin:{name}" for name in BUILTINS])


def find_runnable(reference: str) -> Runnable:
    """Returns the bot that a BOT reference names, where none that is built in will do. Raises
    UnknownBot."""
    if reference.startswith("builtin:"):
        raise UnknownBot(f"{reference} is part of the arena: give a bot's folder or .py file.")
    return _runnable(reference, [])


def _runnable(reference: str, others: Sequence[str]) -> Runnable:
    """`others`: what would do as well, to be named if there is no such bot."""
    kind, colon, rest = reference.partition(":")
    if colon and kind == "image":
        return _image(rest)
    if colon and kind == "remote":
        raise UnknownBot(
            f"{reference}: a remote bot dials in to a server and plays on its ladders (arena submit"
            f" {reference} --ladder NAME); here give its folder or .py file."
        )
    return _program(reference, others)


def _program(reference: str, others: Sequence[str]) -> Program:
    path = Path(reference)
    try:
        if path.is_dir():
            return _checked(_from_folder(path.resolve()))
        if path.is_file():
            return _checked(_from_file(path.resolve()))
    except (ManifestError, ContentError, OSError) as mistake:
        raise UnknownBot(str(mistake)) from None
    raise UnknownBot(_not_found(reference, path, others))


def find_version(versions: Path, version: str) -> Runnable:
    """Returns what to start of a bot version that is kept below `versions`: the bot as its build
    left it, if it was built. Raises UnknownBot."""
    if (image := versions / f"{version}{IMAGE}").exists():
        return find_kept_image(image, version)
    built = versions / f"{version}{BUILT}"
    return find_kept(built if built.exists() else versions / version)


def find_kept(folder: Path) -> Program:
    """Returns the bot whose files the arena keeps in a folder. What was a single file has no
    manifest there. Raises UnknownBot."""
    files = list(folder.glob("*.py"))
    alone = len(files) == 1 and not (folder / MANIFEST).exists()
    return _program(str(files[0] if alone else folder), [])


def find_kept_image(folder: Path, version: str) -> Image:
    """Returns the bot of that version, an image, which the arena keeps in a folder. Raises
    UnknownBot."""
    try:
        image = kept_image(folder)
    except UnusableImage as mistake:
        raise UnknownBot(str(mistake)) from None
    if image.version != version:
        raise UnknownBot(f"{folder} tells of the image {image.version[:12]}, not {version[:12]}.")
    return image


def _builtin(name: str) -> Builtin:
    if name not in BUILTINS:
        known = ", ".join(f"builtin:{known}" for known in BUILTINS)
        raise UnknownBot(f"There is no bot builtin:{name}; built in are: {known}.")
    return Builtin(f"builtin:{name}")


def _image(reference: str) -> Image:
    try:
        return image_of(reference)
    except (UnusableImage, EngineTrouble) as trouble:
        raise UnknownBot(str(trouble)) from None


def _from_folder(folder: Path) -> Program:
    if not (folder / MANIFEST).is_file():
        raise UnknownBot(
            f"{folder} is not a bot: it has no {MANIFEST}. A bot's folder needs one, with at least"
            ' name = "my-bot" and run = ["python", "bot.py"].'
        )
    return Program(folder, None, read_manifest(folder))


def _from_file(path: Path) -> Program:
    if path.suffix != ".py":
        raise UnknownBot(
            f"{path} is not a bot: a single file must be a .py file. For other languages give the"
            f" folder that holds the bot's {MANIFEST}."
        )
    name = re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-")[:40] or "bot"
    manifest = Manifest(name=name, run=("python", path.name), language="python")
    return Program(path.parent, path.name, manifest)


def _checked(program: Program) -> Program:
    program.content()  # raises ContentError if it must not be a bot's
    return program


def _not_found(reference: str, path: Path, others: Sequence[str]) -> str:
    sentence = f"There is no bot {reference}: no such folder or .py file."
    near = get_close_matches(path.name, _bots_in(path.parent), n=3)
    if near:
        return f"{sentence} Did you mean {' or '.join(str(path.parent / name) for name in near)}?"
    more = f", or one of: {', '.join(others)}" if others else ""
    return f"{sentence} A BOT is a folder with a {MANIFEST} or a .py file{more}."


def _bots_in(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        return [
            entry.name
            for entry in entries
            if entry.name.endswith(".py") or Path(entry.path, MANIFEST).is_file()
        ]
