"""The files of a bot, bounded, and the digest that names them."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FILES_LIMIT = 10_000
BYTES_LIMIT = 500 * 1024 * 1024
# The last is what `arena play` creates in its working directory.
IGNORED = frozenset({"__pycache__", ".git", "arena-data"})


class ContentError(ValueError):
    """A bot may not consist of these files. Its text is a sentence."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a bot.

    `name`: its path below the folder, with slashes.
    `kind`: "file", "executable" or "link"; other permissions do not count, as in git.
    """

    name: str
    path: Path
    kind: str


def list_content(folder: Path) -> list[Entry]:
    """Returns the files of a folder, sorted by the bytes of their names.

    Raises ContentError for a link that leads out, for anything that is neither a file nor a link
    nor a folder, and for too many files or bytes.
    """
    entries: list[Entry] = []
    size = 0
    for path in _walk(folder):
        entries.append(_entry(folder, path))
        size += path.lstat().st_size
        if len(entries) > FILES_LIMIT or size > BYTES_LIMIT:
            raise ContentError(
                f"{folder} contains more than {FILES_LIMIT:,} files or {BYTES_LIMIT >> 20} MiB;"
                " remove what the bot does not need to run."
            )
    return sorted(entries, key=lambda entry: os.fsencode(entry.name))


def file_entry(path: Path) -> Entry:
    """Returns the entry of a single file, as if it were alone in a folder."""
    return _entry(path.parent, path)


def digest(entries: Sequence[Entry]) -> str:
    """Returns the SHA-256, in hexadecimal, of the names, kinds and contents of files."""
    total = hashlib.sha256()
    for entry in entries:
        content = _content_digest(entry)
        total.update(f"{entry.kind} {content} ".encode() + os.fsencode(entry.name) + b"\0")
    return total.hexdigest()


def leads_out(link: Path, folder: Path) -> bool:
    """Returns whether a link leads out of the folder, or to itself."""
    try:
        return not link.resolve().is_relative_to(folder.resolve())
    except RuntimeError:  # to itself, or through hundreds of links
        return True


def _walk(folder: Path) -> Iterator[Path]:
    """Yields everything in and below the folder except folders; links are not followed."""
    for path in folder.iterdir():
        if path.name in IGNORED:
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path)
        else:
            yield path


def _entry(folder: Path, path: Path) -> Entry:
    mode = path.lstat().st_mode
    name = path.relative_to(folder).as_posix()
    if stat.S_ISLNK(mode):
        target = path.readlink()
        if target.is_absolute() or leads_out(path, folder):
            raise ContentError(
                f"{path} is a link to {target}, which leads out of the bot's folder;"
                " put a copy there instead."
            )
        return Entry(name, path, "link")
    if not stat.S_ISREG(mode):
        raise ContentError(f"{path} is neither a file nor a folder nor a link; remove it.")
    return Entry(name, path, "executable" if mode & stat.S_IXUSR else "file")


def _content_digest(entry: Entry) -> str:
    if entry.kind == "link":
        return hashlib.sha256(os.fsencode(entry.path.readlink())).hexdigest()
    with entry.path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
