"""Finds the bot that a BOT reference names, or that the arena keeps in a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.bots.in_process import BUILTINS
from arena.bots.source import (
    MANIFEST,
    Builtin,
    ContentError,
    EngineTrouble,
    Image,
    Manifest,
    ManifestError,
    Program,
    Runnable,
    Source,
    UnusableImage,
    check_scripts,
    kept_image,
    read_manifest,
)
from arena.nearest import nearest, no_such

# The arena keeps the files of a version in a folder named by its digest. Folders with that name and
# a suffix have the files as the build left them, or the metadata of an image. Image metadata lives
# in its own folder so that no submitted file can pose as it.
BUILT_SUFFIX = ".built"
IMAGE_SUFFIX = ".image"


class UnknownBot(ValueError):
    """A BOT reference that names no usable bot. Its text is sentences: the mistake, and a
    correction."""


def find_bot(reference: str) -> Source:
    """Returns the bot that a BOT reference names. Raises UnknownBot."""
    kind, colon, rest = reference.partition(":")
    if colon and kind == "builtin":
        return _builtin(rest)
    return _runnable(reference, [f"builtin:{name}" for name in BUILTINS])


def find_runnable(reference: str) -> Runnable:
    """Returns the bot that a BOT reference names; built-in bots are refused. Raises UnknownBot."""
    if reference.startswith("builtin:"):
        raise UnknownBot(
            f"{reference} is part of the arena; give the folder or the .py file of a bot."
        )
    return _runnable(reference, [])


def find_version(versions: Path, version: str) -> Runnable:
    """Returns the bot version kept below `versions`: as its build left it, if it was built. Raises
    UnknownBot."""
    if (image := versions / f"{version}{IMAGE_SUFFIX}").exists():
        return find_kept_image(image, version)
    built = versions / f"{version}{BUILT_SUFFIX}"
    return find_kept(built if built.exists() else versions / version)


def find_kept(folder: Path) -> Program:
    """Returns the bot whose files the arena keeps in a folder. A bot submitted as a single file has
    no manifest there. Raises UnknownBot."""
    files = list(folder.glob("*.py"))
    alone = len(files) == 1 and not (folder / MANIFEST).exists()
    return replace(_program(str(files[0] if alone else folder), []), kept=True)


def find_kept_image(folder: Path, version: str) -> Image:
    """Returns the image with that version whose metadata the arena keeps in a folder. Raises
    UnknownBot."""
    try:
        image = kept_image(folder)
    except UnusableImage as mistake:
        raise UnknownBot(str(mistake)) from None
    if image.version != version:
        raise UnknownBot(f"{folder} describes the image {image.version[:12]}, not {version[:12]}.")
    return image


def _runnable(reference: str, others: Sequence[str]) -> Runnable:
    """`others`: references to suggest if there is no such bot."""
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


def _builtin(name: str) -> Builtin:
    if name not in BUILTINS:
        known = [f"builtin:{known}" for known in BUILTINS]
        raise UnknownBot(no_such("bot", f"builtin:{name}", known))
    return Builtin(f"builtin:{name}")


def _image(reference: str) -> Image:
    # Most bots are processes, and the engine's client takes a while to import.
    from arena.bots.container import image_of

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
    check_scripts(program.folder, program.manifest)
    program.content()  # raises ContentError for files that a bot may not have
    return program


def _not_found(reference: str, path: Path, others: Sequence[str]) -> str:
    sentence = f"There is no bot {reference}: no such folder or .py file."
    near = nearest(path.name, _bots_in(path.parent))
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
