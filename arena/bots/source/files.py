"""The files of a bot, bounded, and the digest that names them."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bots.source.tree import ContentError, Found, leading_out, open_file, walk

FILES_LIMIT = 10_000
BYTES_LIMIT = 500 * 1024 * 1024
# Folders that are never part of a bot. The last is what `arena play` creates in its working
# directory.
IGNORED = frozenset({"__pycache__", ".git", "arena-data"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a bot.

    `name`: its path below the folder, with slashes.
    `kind`: "file", "executable" or "link"; other permissions do not count, as in git.
    `size`: in bytes.
    """

    name: str
    path: Path
    kind: str
    size: int


def is_ignored(path: str) -> bool:
    """Returns whether a path ends at a folder that is never part of a bot."""
    return path.rpartition("/")[2] in IGNORED


def list_content(folder: Path, ignored: Callable[[str], bool] = is_ignored) -> list[Entry]:
    """Returns the files of a folder, sorted by the bytes of their names. `ignored`: takes a path
    below the folder.

    Raises ContentError for a link that leads out, for anything that is neither a file nor a link
    nor a folder, for too many files or bytes, and for a tree that is too deep.
    """
    entries: list[Entry] = []
    size = 0
    for found in walk(folder, ignored):
        entries.append(_entry(folder, found))
        size += entries[-1].size
        if len(entries) > FILES_LIMIT or size > BYTES_LIMIT:
            raise ContentError(
                f"{folder} contains more than {FILES_LIMIT:,} files or {BYTES_LIMIT >> 20} MiB;"
                " remove what the bot does not need to run."
            )
    _check_links(entries)
    return sorted(entries, key=lambda entry: os.fsencode(entry.name))


def file_entry(path: Path) -> Entry:
    """Returns the entry of a single file, as if it were alone in a folder. Raises ContentError."""
    entry = _entry(path.parent, Found(path.name, path.lstat()))
    _check_links([entry])
    return entry


def digest(entries: Sequence[Entry]) -> str:
    """Returns the SHA-256, in hexadecimal, of the names, kinds and contents of files."""
    total = hashlib.sha256()
    for entry in entries:
        content = _content_digest(entry)
        total.update(f"{entry.kind} {content} ".encode() + os.fsencode(entry.name) + b"\0")
    return total.hexdigest()


def copy_files(entries: Iterable[Entry], folder: Path, mode: int = 0o644) -> None:
    """Copies files into a folder that is empty or does not exist. `mode`: the permissions of the
    copies; who may read an executable may also run it. Raises ContentError if a file is no longer
    one."""
    folder.mkdir(exist_ok=True)
    for entry in entries:
        target = folder / entry.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind == "link":
            target.symlink_to(entry.path.readlink())
            continue
        with open_file(entry.path) as source, target.open("xb") as copy:
            shutil.copyfileobj(source, copy)
        target.chmod(mode | (mode & 0o444) >> 2 if entry.kind == "executable" else mode)


def _entry(folder: Path, found: Found) -> Entry:
    path, mode = folder / found.name, found.status.st_mode
    if stat.S_ISLNK(mode):
        return Entry(found.name, path, "link", found.status.st_size)
    if not stat.S_ISREG(mode):
        raise ContentError(f"{path} is neither a file nor a folder nor a link; remove it.")
    kind = "executable" if mode & stat.S_IXUSR else "file"
    return Entry(found.name, path, kind, found.status.st_size)


def _check_links(entries: Iterable[Entry]) -> None:
    """Raises ContentError for a link that leads out of the folder, or to itself."""
    links = {entry.name: entry.path for entry in entries if entry.kind == "link"}
    targets = {name: os.fspath(path.readlink()) for name, path in links.items()}
    for name in leading_out(targets):
        raise ContentError(
            f"{links[name]} is a link to {targets[name]}, which leads out of the bot's folder;"
            " put a copy there instead."
        )


def _content_digest(entry: Entry) -> str:
    if entry.kind == "link":
        return hashlib.sha256(os.fsencode(entry.path.readlink())).hexdigest()
    with open_file(entry.path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
