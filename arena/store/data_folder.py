"""The data folder: its paths, and the lock of the arena that uses it.

Only its user may enter it: it holds private logs, strangers' programs, tokens' hashes, the keys of
the queue and of the pages, and perhaps the password of a Redis.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import re
import stat
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from io import FileIO
from itertools import chain, count
from pathlib import Path
from typing import IO, Any

from arena.bots import BUILT_SUFFIX, IMAGE_SUFFIX
from arena.disk import DiskFull, full_disk, is_full
from arena.errors import ArenaError, Kind

log = logging.getLogger(__name__)

PATIENCE_S = 0.5
"""A starting arena waits this long for the lock, which a reader of its holder takes briefly."""

OTHERS = stat.S_IRWXG | stat.S_IRWXO
OWN = re.compile(
    r"arena\.(lock|sqlite3.*)|(queue|pages)\.key|valkey|versions|logs|played|backups|incoming-.*"
)
"""The names of the files and folders that an arena creates in its data folder."""


@dataclass(frozen=True)
class Holder:
    """The arena that holds a data folder.

    `redis`: empty while it is starting.
    `server`: the address at which it serves users who may enter the folder by gRPC; empty without
      a server.
    `door`: the address at which it answers them by HTTP; empty without a server.
    `grpc`: the address at which it serves everybody else by gRPC; empty until it does.
    `competitions`: the competitions that it runs; None: all of them.
    `pages`: the origin of its pages for browsers; empty if it has none.
    `software`: what bots find on it, as the fields of a view; None without a server.
    """

    pid: int
    redis: str
    server: str = ""
    competitions: list[str] | None = field(default_factory=list)
    pages: str = ""
    door: str = ""
    grpc: str = ""
    software: dict[str, Any] | None = None

    def runs(self, competition: str) -> bool:
        """Returns whether it runs that competition."""
        return self.competitions is None or competition in self.competitions


def is_run(holder: Holder | None, competition: str) -> bool:
    """Returns whether the arena that holds a data folder runs that competition. None: no arena."""
    return holder is not None and holder.runs(competition)


@dataclass(frozen=True)
class Hold:
    """The hold on a data folder."""

    file: FileIO

    def announce(self, redis: str, only: Collection[str] | None = (), **others: Any) -> None:
        """Announces the address of this arena's Redis, the competitions that it runs (None: all of
        them), and other fields of `Holder`. Raises DiskFull."""
        competitions = only if only is None else list(only)
        own = Holder(os.getpid(), redis, competitions=competitions, **others)
        self.file.truncate(0)
        try:
            self.file.write(json.dumps(asdict(own)).encode())
        except OSError as error:
            raise (full_disk(self.file.name) if is_full(error) else error) from None


class DataFolder:
    """The paths of a data folder, and its lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = path / "arena.lock"
        self.database = path / "arena.sqlite3"
        self.queue_key = path / "queue.key"
        self.pages_key = path / "pages.key"
        self.valkey = path / "valkey"
        self.versions = path / "versions"
        self.played = path / "played"
        self.logs = path / "logs"
        self.backups = path / "backups"

    def version(self, digest: str) -> Path:
        """Returns the folder of a bot version's files."""
        return self.versions / digest

    def built(self, digest: str) -> Path:
        """Returns the folder of a bot version's files as its build left them, if it has a build."""
        return self.versions / f"{digest}{BUILT_SUFFIX}"

    def image(self, digest: str) -> Path:
        """Returns the folder of a bot version that is a container image."""
        return self.versions / f"{digest}{IMAGE_SUFFIX}"

    def places(self, digest: str) -> tuple[Path, ...]:
        """Returns the folders that a bot version can have."""
        return self.built(digest), self.image(digest), self.version(digest)

    def has_store(self) -> bool:
        """Returns whether an arena has been set up there. Raises ArenaError."""
        if self.path.is_file():
            raise self._unusable("it is a file")
        try:
            return self.database.exists()
        except OSError as error:
            raise self._unusable(error) from None

    def make(self) -> None:
        """Creates the folder if necessary. Raises ArenaError and DiskFull."""
        try:
            self.path.mkdir(0o700, parents=True, exist_ok=True)
        except FileExistsError:
            raise self._unusable("it is a file") from None
        except OSError as error:
            raise self._unusable(error) from None

    def new_run(self, name: str) -> Path:
        """Creates a folder for the records of a run of `arena play`: `played/NAME`, or NAME.2,
        NAME.3 and so on if that exists. Raises ArenaError and DiskFull."""
        self.make()
        try:
            self.played.mkdir(exist_ok=True)
            return next(filter(None, (_made(self.played / run) for run in _numbered(name))))
        except OSError as error:
            raise self._unusable(error) from None

    def try_writing(self) -> None:
        """Checks that the folder is writable or can be created. Raises ArenaError and
        DiskFull."""
        place = next(path for path in (self.path, *self.path.absolute().parents) if path.exists())
        try:
            tempfile.TemporaryDirectory(dir=place, prefix="arena-").cleanup()
        except OSError as error:
            raise self._unusable(error) from None

    @contextmanager
    def hold(self) -> Iterator[Hold]:
        """Holds the folder until the block or the process ends, however it ends.

        Raises ArenaError and DiskFull.
        """
        self.make()
        self._close_to_others()
        try:
            self.lock.touch(0o600)
            lock = self.lock.open("ab", buffering=0)
        except OSError as error:
            raise self._unusable(error) from None
        with lock as file:
            if not _taken(file):
                raise ArenaError(Kind.UNREACHABLE, self._in_use(), "data")
            hold = Hold(file)
            hold.announce("")
            yield hold

    def holder(self) -> Holder | None:
        """Returns the arena that holds the folder at present, or None."""
        # A folder that does not exist has no holder.
        with suppress(FileNotFoundError, NotADirectoryError), self.lock.open() as file:
            if not _locked(file, 0, fcntl.LOCK_SH):
                return self._announced()
        return None

    def running(self) -> Callable[[str], bool]:
        """Returns a function that says whether the arena that holds the folder now runs a
        competition."""
        return partial(is_run, self.holder())

    def server(self) -> str:
        """Returns the address of the arena that holds the folder; empty if it cannot be called."""
        holder = self.holder()
        return holder.server if holder is not None else ""

    def door(self) -> str:
        """Returns the address of the door of the arena that holds the folder; empty if it has
        none."""
        holder = self.holder()
        return holder.door if holder is not None else ""

    def pages(self) -> str:
        """Returns the origin of the pages of the arena that holds the folder; empty if there are
        none."""
        holder = self.holder()
        return holder.pages if holder is not None else ""

    def _close_to_others(self) -> None:
        """Closes a folder that other users can enter. One that also has other files in it, or
        belongs to another user, stays as it is, with a warning."""
        found = self.path.stat()
        if not found.st_mode & OTHERS:
            return
        own = all(OWN.fullmatch(entry.name) for entry in self.path.iterdir())
        if own and found.st_uid == os.geteuid():
            self.path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
            log.warning("other users could enter the data folder %s; now they cannot", self.path)
        else:
            log.warning(
                "other users can enter the data folder %s, which contains secrets: use a folder of"
                " its own, or `chmod 700` it",
                self.path,
            )

    def _announced(self) -> Holder:
        # Between taking the lock and announcing itself, the holder has written nothing; and nothing
        # for a moment while it announces another address.
        for pause_s in (0.0, 0.01, 0.04):
            time.sleep(pause_s)
            with suppress(json.JSONDecodeError):
                return Holder(**json.loads(self.lock.read_text()))
        return Holder(pid=0, redis="")

    def _unusable(self, reason: OSError | str) -> ArenaError | DiskFull:
        if isinstance(reason, OSError) and is_full(reason):
            return full_disk(self.path)
        why = (reason.strerror or reason) if isinstance(reason, OSError) else reason
        return ArenaError(
            Kind.WRONG_INPUT,
            f"{self.path} cannot be a data folder ({why}): choose another one with --data.",
            "data",
        )

    def _in_use(self) -> str:
        pid = self._announced().pid
        who = f"process {pid}" if pid else "a process that is just starting"
        return (
            f"Another arena ({who}) holds the data folder {self.path}: "
            "stop it first, or use another folder with --data."
        )


def _numbered(name: str) -> Iterator[str]:
    """Yields the name, then NAME.2, NAME.3 and so on."""
    return chain((name,), (f"{name}.{number}" for number in count(2)))


def _made(folder: Path) -> Path | None:
    """Creates the folder and returns it; None if it already exists."""
    try:
        folder.mkdir()
    except FileExistsError:
        return None
    return folder


def _taken(file: FileIO) -> bool:
    """Takes the lock if it is free.

    Clears the previous owner's announcement first, under a shared lock, so that no reader mistakes
    it for ours.
    """
    if not _locked(file, PATIENCE_S, fcntl.LOCK_SH):
        return False
    file.truncate(0)
    return _locked(file, PATIENCE_S, fcntl.LOCK_EX)


def _locked(file: IO[Any], patience: float, kind: int) -> bool:
    until = time.monotonic() + patience
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(0.02)
