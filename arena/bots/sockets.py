"""Short private folders for sockets, whose paths have 107 bytes, and nothing left of them.

Each process has one folder, PREFIX with its process id, and in it one for every bot and server.
While the process lives it holds a lock on its folder; so whoever comes after one that was killed
can tell that the folder is nobody's, and removes it.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from arena.bots.interface import ArenaFailure

PREFIX = "sevens-"
# mkdtemp adds 8 characters to each of the two folders' names.
PARENT_BYTES = 107 - len(f"/{PREFIX}1234567-12345678/12345678/valkey.sock")
# A folder younger than this may be one whose process has not come to lock it.
LOCKED_WITHIN_S = 60


def private_folder() -> Path:
    """Makes a folder that nobody else may enter; whoever made it removes it. Raises
    ArenaFailure."""
    return Path(tempfile.mkdtemp(prefix="", dir=_folder_in(_parent(), os.getpid())))


def sweep(parent: Path) -> None:
    """Removes the folders in `parent` whose processes have ended without doing so."""
    for folder in parent.glob(f"{PREFIX}*-*"):
        with suppress(OSError):  # another user's, or gone meanwhile
            _remove_if_left(folder)


@cache
def _folder_in(parent: Path, process: int) -> Path:
    """This process's folder; asked for with its id, so that a fork makes its own."""
    sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{process}-", dir=parent))
    # Held until the process ends, however it does.
    fcntl.flock(os.open(folder, os.O_RDONLY | os.O_DIRECTORY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    atexit.register(_leave, folder, process)
    return folder


def _parent() -> Path:
    for parent in (os.environ.get("XDG_RUNTIME_DIR"), "/tmp"):
        if parent and os.access(parent, os.W_OK) and len(os.fsencode(parent)) <= PARENT_BYTES:
            return Path(parent)
    raise ArenaFailure("The arena needs a place for sockets; let it write to /tmp.")


def _leave(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_if_left(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        status = os.fstat(opened)
        if status.st_uid != os.geteuid() or time.time() - status.st_mtime < LOCKED_WITHIN_S:
            return
        with suppress(BlockingIOError):  # its process lives
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
    finally:
        os.close(opened)
