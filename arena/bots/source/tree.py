"""Lists, opens and removes trees of files that strangers created, without trusting them.

Nothing here recurses, follows a link, or opens anything but folders and regular files. A tree may
be deeper than the stack and its paths longer than the kernel accepts, so folders are entered by
descriptor. The program that created a tree has ended: the tree does not change meanwhile.
"""

from __future__ import annotations

import logging
import os
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from itertools import count, islice
from pathlib import Path, PurePosixPath

log = logging.getLogger(__name__)

# A listing gives up after this many entries, folders included.
ENTRIES_LIMIT = 20_000
DEPTH_LIMIT = 64
NAME_LIMIT_BYTES = 400
# The steps from name to name that all links of a tree together may need.
STEPS_LIMIT = 200_000
LINKS_FOLLOWED = 40  # one after another, as many as Linux follows
SHOWN = 80  # characters of a path in a sentence
REMOVED_AT_A_TIME = 1000
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK, opening a FIFO waits for its other end.
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class ContentError(ValueError):
    """A bot may not consist of these files. Its text is a sentence."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something in a tree.

    `name`: its path below the top, with slashes.
    `status`: its own, even if it is a link.
    """

    name: str
    status: os.stat_result


def walk(top: Path, ignored: Callable[[str], bool] = lambda _: False) -> Iterator[Found]:
    """Yields everything below a folder except folders. Skips what is `ignored` by its path, with
    all that is in it. Raises ContentError for a tree that is too large, and OSError."""
    entries_left = ENTRIES_LIMIT
    way = [_Folder.open(top, None, "")]
    try:
        while way:
            folder = way[-1]
            entry = next(folder.entries, None)
            if entry is None:
                way.pop().close()
                continue
            name = f"{folder.prefix}{entry.name}"
            if ignored(name):
                continue
            entries_left -= 1
            _check_bounds(top, name, entries_left, len(way))
            if entry.is_dir(follow_symlinks=False):
                way.append(_Folder.open(entry.name, folder.descriptor, f"{name}/"))
            else:
                yield Found(name, entry.stat(follow_symlinks=False))
    finally:
        for folder in way:
            folder.close()


def open_file(path: Path) -> BufferedReader:
    """Opens a file to read it. Raises ContentError unless it is a regular file, and OSError."""
    try:
        descriptor = os.open(path, FILE)
    except OSError as problem:
        if not path.is_symlink():
            raise
        raise _not_a_file(path) from problem
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _not_a_file(path)
    return os.fdopen(descriptor, "rb")


def leading_out(links: Mapping[str, str]) -> Iterator[str]:
    """Yields the links that lead out of their tree, or to themselves. `links`: the targets of all
    links in the tree, by their names. Raises ContentError if they cannot be followed in reasonable
    time."""
    steps_left = STEPS_LIMIT
    for link in links:
        steps = _steps_inside(link, links, steps_left)
        if steps is None:
            yield link
        else:
            steps_left -= steps


def remove_tree(top: Path) -> None:
    """Removes a folder and everything in it. Raises OSError."""
    top.chmod(0o700)
    descriptor = os.open(top, FOLDER)
    try:
        _empty(descriptor)
    finally:
        os.close(descriptor)
    top.rmdir()


def try_to_remove(top: Path) -> None:
    """Removes a folder and everything in it if there is one. What remains is only logged: nothing
    depends on its being gone."""
    try:
        remove_tree(top)
    except FileNotFoundError:
        return
    except OSError as problem:
        log.warning("%s cannot be removed: %s", top, problem)


@contextmanager
def temporary_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Creates a folder, and removes it when the context ends."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        yield folder
    finally:
        try_to_remove(folder)


class _Folder:
    """A folder that a walk is in. `prefix`: the path to it, which precedes the names of its
    entries."""

    def __init__(self, descriptor: int, prefix: str) -> None:
        self.descriptor = descriptor
        self.prefix = prefix
        self.entries = os.scandir(descriptor)

    @classmethod
    def open(cls, name: str | Path, parent: int | None, prefix: str) -> _Folder:
        return cls(os.open(name, FOLDER, dir_fd=parent), prefix)

    def close(self) -> None:
        self.entries.close()
        os.close(self.descriptor)


def _check_bounds(top: Path, name: str, entries_left: int, depth: int) -> None:
    """Raises ContentError."""
    if entries_left < 0:
        raise ContentError(
            f"{top} contains more than {ENTRIES_LIMIT:,} files and folders; remove what the bot"
            " does not need to run."
        )
    if depth > DEPTH_LIMIT or len(os.fsencode(name)) > NAME_LIMIT_BYTES:
        raise ContentError(
            f"{top} contains {name[:SHOWN]!r}…, which is nested more than {DEPTH_LIMIT} folders"
            f" deep or has a path longer than {NAME_LIMIT_BYTES} bytes; shorten it."
        )


def _not_a_file(path: Path) -> ContentError:
    return ContentError(f"{path} is not a regular file; put one there instead.")


def _steps_inside(link: str, links: Mapping[str, str], limit: int) -> int | None:
    """Follows a link as the kernel does. Returns the number of steps that took, or None if the link
    leads out or to itself. Raises ContentError after more steps than the limit."""
    place: list[str] = []
    ahead = [*reversed(PurePosixPath(link).parts)]
    followed = steps = 0
    while ahead:
        steps += 1
        if steps > limit:
            raise ContentError("The bot has too many links to links; put copies there instead.")
        part = ahead.pop()
        if part == "..":
            if not place:
                return None
            place.pop()
            continue
        target = links.get("/".join((*place, part)))
        if target is None:
            place.append(part)
            continue
        followed += 1
        if followed > LINKS_FOLLOWED or target.startswith("/"):
            return None
        ahead += reversed(PurePosixPath(target).parts)
    return steps


def _empty(top: int) -> None:
    """Removes everything in a folder. Folders in its folders are first moved up into it, so that
    neither the depth of the tree nor the length of its paths matters."""
    moved = (f".{secrets.token_hex(8)}-{number}" for number in count())
    while names := _some_names(top):
        for name in names:
            if not _is_folder(name, top):
                os.unlink(name, dir_fd=top)
                continue
            os.chmod(name, 0o700, dir_fd=top)
            _flatten(name, top, moved)
            os.rmdir(name, dir_fd=top)


def _flatten(name: str, top: int, moved: Iterator[str]) -> None:
    """Removes the files of a folder, and moves the folders in it up."""
    descriptor = os.open(name, FOLDER, dir_fd=top)
    try:
        while inside := _some_names(descriptor):
            for each in inside:
                if _is_folder(each, descriptor):
                    os.chmod(each, 0o700, dir_fd=descriptor)  # else it cannot be moved
                    os.rename(each, next(moved), src_dir_fd=descriptor, dst_dir_fd=top)
                else:
                    os.unlink(each, dir_fd=descriptor)
    finally:
        os.close(descriptor)


def _some_names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in islice(entries, REMOVED_AT_A_TIME)]


def _is_folder(name: str, parent: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
