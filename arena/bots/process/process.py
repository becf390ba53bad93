"""A process of a bot, and everything that it starts."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import IO

import psutil

from arena.bots.interface import ArenaFailure
from arena.bots.limits import OPEN_FILES
from arena.bots.local import GATHER_BYTES, REST_WITHIN_S, Ending, Output
from arena.bots.process.launch import Launch

EXIT_CODE = re.compile(rb'"exit-code": (\d+)')
STATUS_BYTES = 4096
KILL_S = 1.0

# Enters the control group and sets the limits that are inherited, and then runs the process.
ENTER = f"""
ulimit -c 0 && ulimit -n {OPEN_FILES} || exit
while [ "$1" != -- ]; do echo $$ >"$1" || exit; shift; done
shift
exec "$@"
"""


class Process:
    """A bot's process. Everything it starts ends with it, and with the arena."""

    def __init__(
        self,
        child: asyncio.subprocess.Process,
        tether: socket.socket,
        ending: asyncio.Task[Ending],
    ) -> None:
        self.pid = child.pid
        self._child = child
        self._tether = tether
        self._ending = ending

    @classmethod
    async def start(
        cls,
        launch: Launch,
        output: Output,
        report: Callable[[Ending], None],
        entrances: Sequence[Path] = (),
    ) -> Process:
        """Starts the process. Its output is added to `output`; its ending is reported once that is
        complete. `entrances`: see `Cgroup.entrances`. Raises ArenaFailure."""
        if threading.current_thread() is not threading.main_thread():
            # bubblewrap ends with the thread that started it.
            raise RuntimeError("bots have to be started from the main thread")
        with ExitStack() as open_for_now:
            ours, theirs = map(open_for_now.enter_context, socket.socketpair())
            file = open_for_now.enter_context(_readable(launch.file))
            written, pipe = map(open_for_now.enter_context, _pipe())
            nothing, end = map(open_for_now.enter_context, _pipe())
            end.close()
            try:
                child = await asyncio.create_subprocess_exec(
                    *("/bin/sh", "-c", ENTER, "sh", *map(str, entrances), "--"),
                    *launch.argv(theirs.fileno(), file.fileno()),
                    stdin=nothing,  # not /dev/null: a build could change the machine's device by it
                    stdout=pipe,
                    stderr=asyncio.subprocess.STDOUT,
                    env=launch.environment,
                    cwd=launch.folder,
                    pass_fds=(
                        *(theirs.fileno(), *launch.inherits),
                        *([file.fileno()] if launch.file else []),
                    ),
                    start_new_session=True,
                )
            except OSError as error:
                raise ArenaFailure(f"A bot's process cannot be started: {error}.") from error
            theirs.close()
            file.close()
            pipe.close()
            nothing.close()
            open_for_now.pop_all()
        ending = asyncio.create_task(_follow(child, ours, written, output))
        ending.add_done_callback(lambda task: None if task.cancelled() else report(task.result()))
        return cls(child, ours, ending)

    @property
    def exit_code(self) -> int | None:
        """The code of its `Ending`; None until that is known."""
        return self._ending.result().code if self._ending.done() else None

    async def ended(self) -> Ending:
        """Waits until the process has ended and its remaining output has been read."""
        return await asyncio.shield(self._ending)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to everything that the process has started; the process itself only
        supervises that."""
        if self._child.returncode is not None:
            return  # its id may belong to another process by now
        with suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)

    async def kill(self) -> None:
        """Kills the process and everything it started, and waits for its end. Harmless if it has
        ended."""
        if not self._ending.done():
            # Without a sandbox, supervise.py now also kills what is being started this very moment.
            with suppress(OSError):  # it may be ending
                self._tether.shutdown(socket.SHUT_WR)
        self.signal(signal.SIGKILL)
        await asyncio.wait((self._ending,), timeout=KILL_S)
        if self._child.returncode is None:  # it had not started anything yet
            self._child.send_signal(signal.SIGSTOP)  # and cannot do so unnoticed from here on
            self.signal(signal.SIGKILL)
            self._child.kill()
        await self.ended()


def _readable(content: bytes) -> IO[bytes]:
    """Returns an open file with that content, and no name."""
    file = os.fdopen(os.memfd_create("arena"), "w+b")
    file.write(content)
    file.seek(0)
    return file


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    """Returns the ends of a pipe, to read from and to write to."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb", 0), os.fdopen(writing, "wb", 0)


async def _follow(
    child: asyncio.subprocess.Process, ours: socket.socket, written: IO[bytes], output: Output
) -> Ending:
    """Follows a process to its end. `ours` stays open until then: at its end-of-file supervise.py
    kills the bot."""
    with ours:
        reading = asyncio.create_task(_read(written, output))
        code = await child.wait()
        await asyncio.wait((reading,), timeout=REST_WITHIN_S)
        reading.cancel()  # a process that escaped may hold the pipe open
        status = b""
        ours.setblocking(False)
        with suppress(BlockingIOError):
            status = ours.recv(STATUS_BYTES)
    if codes := EXIT_CODE.findall(status):
        return Ending(int(codes[-1]))
    return Ending(128 - code if code < 0 else None)


async def _read(pipe: IO[bytes], output: Output) -> None:
    """Reads everything. One of asyncio's own pipes would not do: until its other end is closed
    everywhere, a child's `wait` may go on although the child has ended."""
    reader = asyncio.StreamReader(limit=GATHER_BYTES)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    with closing(transport):
        await output.follow(reader)
