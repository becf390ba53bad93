"""Short private folders for sockets, whose paths may have 107 bytes at most.

Each process has one folder, named PREFIX and its process id, and in it one folder for every bot and
server. While the process lives it holds a lock on its folder. So the next process can tell that the
owner of a folder was killed, and removes it. (A process id would not do: several containers,
each with ids of its own, may share the parent folder.)
"""

from __future__ import annotations

import atexit
import fcntl
import os
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.source import remove_tree, try_to_remove

PREFIX = "sevens-"
# mkdtemp adds 8 characters to each of the two folders' names.
PARENT_BYTES = 107 - len(f"/{PREFIX}1234567-12345678/12345678/valkey.sock")
# The name of a folder that its process has not locked yet; it has been killed if that takes longer.
UNLOCKED = ".sevens-"
LOCKED_WITHIN_S = 60


def private_folder(parent: Path | None = None) -> Path:
    """Creates a folder that no other user may enter; the caller removes it. `parent`: where, if it
    is not for sockets. Raises ArenaFailure."""
    return Path(tempfile.mkdtemp(prefix="", dir=_folder_in(parent or _parent(), os.getpid())))


def sweep(parent: Path | None = None) -> None:
    """Removes the folders in `parent` whose processes have ended without doing so; by default where
    this process has its own."""
    parent = parent or _parent()
    for folder in (*parent.glob(f"{PREFIX}*-*"), *parent.glob(f"{UNLOCKED}*-*")):
        with suppress(OSError):  # it is another user's, or has just been removed
            _remove_if_left(folder)


@cache
def _folder_in(parent: Path, process: int) -> Path:
    """Returns this process's folder. `process` is its id, so that a fork creates its own."""
    sweep(parent)
    unlocked = Path(tempfile.mkdtemp(prefix=f"{UNLOCKED}{process}-", dir=parent))
    # The lock lasts until the process ends, however that happens.
    fcntl.flock(os.open(unlocked, os.O_RDONLY | os.O_DIRECTORY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    folder = unlocked.rename(parent / f"{PREFIX}{unlocked.name.removeprefix(UNLOCKED)}")
    atexit.register(_leave, folder, process)
    return folder


def _parent() -> Path:
    for parent in (os.environ.get("XDG_RUNTIME_DIR"), "/tmp"):
        if parent and os.access(parent, os.W_OK) and len(os.fsencode(parent)) <= PARENT_BYTES:
            return Path(parent)
    raise ArenaFailure("The arena needs a folder for sockets; allow it to write to /tmp.")


def _leave(folder: Path, process: int) -> None:
    if os.getpid() == process:
        try_to_remove(folder)


def _remove_if_left(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        status = os.fstat(opened)
        young = time.time() - status.st_mtime < LOCKED_WITHIN_S
        if status.st_uid != os.geteuid() or (young and folder.name.startswith(UNLOCKED)):
            return
        with suppress(BlockingIOError):  # its process lives
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_tree(folder)
    finally:
        os.close(opened)
