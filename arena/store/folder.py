"""The data folder: where everything lies, and who holds it."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path

from arena.bots.source import BUILT

PATIENCE_S = 0.5
"""How long a starting arena waits for the lock: a look at the holder takes it for a moment."""


class FolderInUse(Exception):
    """Another arena holds the data folder. Its text names its process."""


@dataclass(frozen=True)
class Holder:
    """The arena that holds a data folder. `redis` is empty while it is starting; `server` is the
    address at which it serves whoever may enter the folder, empty if it serves nobody."""

    pid: int
    redis: str
    server: str = ""


@dataclass(frozen=True)
class Hold:
    """The hold on a data folder."""

    file: TextIOWrapper

    def announce(self, redis: str, server: str = "") -> None:
        """Tells others where this arena's Redis and its server are."""
        self.file.seek(0)
        self.file.truncate()
        json.dump({"pid": os.getpid(), "redis": redis, "server": server}, self.file)
        self.file.flush()


class DataFolder:
    """The paths of a data folder, and its lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = path / "arena.lock"
        self.database = path / "arena.sqlite3"
        self.valkey = path / "valkey"
        self.versions = path / "versions"

    def version(self, digest: str) -> Path:
        """Where the files of a bot version are."""
        return self.versions / digest

    def built(self, digest: str) -> Path:
        """Where the files of a bot version are as its build left them, if it has one."""
        return self.versions / f"{digest}{BUILT}"

    @contextmanager
    def hold(self) -> Iterator[Hold]:
        """Holds the folder until the block ends or the process does, however it ends.

        Raises FolderInUse.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        with self.lock.open("a+") as file:
            if not _locked(file, PATIENCE_S):
                raise FolderInUse(self._in_use())
            hold = Hold(file)
            hold.announce("")
            yield hold
            file.truncate(0)

    def holder(self) -> Holder | None:
        """The arena that holds the folder now, if any does."""
        with suppress(FileNotFoundError), self.lock.open() as file:
            if not _locked(file, 0, fcntl.LOCK_SH):
                return self._announced()
        return None

    def _announced(self) -> Holder:
        # Between taking the lock and announcing itself the holder has written nothing.
        with suppress(json.JSONDecodeError):
            return Holder(**json.loads(self.lock.read_text()))
        return Holder(pid=0, redis="")

    def _in_use(self) -> str:
        pid = self._announced().pid
        who = f"process {pid}" if pid else "a process that is just starting"
        return (
            f"Another arena ({who}) holds the data folder {self.path}: "
            "stop it first, or use another folder with --data."
        )


def _locked(file: TextIOWrapper, patience: float, kind: int = fcntl.LOCK_EX) -> bool:
    until = time.monotonic() + patience
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(0.02)
