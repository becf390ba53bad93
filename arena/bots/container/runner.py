"""A bot in a container: no network, no privileges, nothing to write to but its own memory."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from docker.errors import APIError, DockerException, NotFound
from docker.models.containers import Container
from requests.exceptions import RequestException

from arena.bots.container.engine import LABEL, RUNTIME, Engine
from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.limits.limits import (
    CORES,
    OPEN_FILES,
    TASKS_A_PROCESS,
    WRITABLE_BYTES,
    forked_on,
    used_up,
)
from arena.bots.local.output import CHUNK_BYTES, PAUSE_S, Output
from arena.bots.local.runner import Watcher
from arena.bots.process.launch import Access
from arena.bots.process.process import LAST_WORDS_S, Ending
from arena.bots.sandbox.bubblewrap import NOBODY, SOCKETS
from arena.bots.sandbox.seccomp import system_call_profile
from arena.bots.source.manifest import Limits
from arena.bots.stream.gateway import SOCKET
from arena.protocol.faults import FaultKind

PERIOD_S = 0.5
ENDING_S = 0.05
FILES = 4096  # at most, in /tmp
REMOVE_TRIES = 3
HEADER_BYTES = 8  # before each piece of output: the stream, and how long the piece is
ENTERABLE = 0o711  # by the user inside, who is somebody else; but not to be listed
CANNOT_START = 400  # what the engine answers if it cannot run the image's program
REMOVED = {"Running": False, "OOMKilled": False, "ExitCode": 128 + signal.SIGKILL}

Stream: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class ContainerRunner:
    """How a bot is started in a container. `image`: its id. `arena`: to whom the container will
    belong."""

    ending_known_s: ClassVar[float] = 5.0  # the engine is asked, and waits for its turn

    engine: Engine
    arena: str
    image: str
    access: Access
    limits: Limits

    async def start(self, output: Output, watcher: Watcher) -> RunningContainer:
        self.access.folder.chmod(ENTERABLE)
        try:
            container = await asyncio.to_thread(self._create)
        except (DockerException, RequestException) as error:
            raise ArenaFailure(f"A bot's container cannot be made: {error}.") from error
        running = RunningContainer(self.engine, container, self.limits, watcher)
        try:
            await running.start(output)
        except (DockerException, RequestException, OSError) as error:
            await running.remove()
            raise ArenaFailure(f"A bot's container cannot be started: {error}.") from error
        return running

    def _create(self) -> Container:
        container: Container = self.engine.client.containers.create(self.image, **self._options())
        return container

    def _options(self) -> dict[str, Any]:
        memory = self.limits.memory_mb << 20
        address = self.access.environment(f"unix:{SOCKETS}/{SOCKET}")
        return {
            "labels": {LABEL: self.arena},
            "runtime": os.environ.get(RUNTIME) or None,
            "environment": {"HOME": "/tmp", "LANG": "C.UTF-8", **address},
            "hostname": "bot",
            # What it can reach.
            "network_mode": "none",
            "ipc_mode": "private",
            "volumes": {str(self.access.folder): {"bind": SOCKETS, "mode": "ro"}},
            "read_only": True,
            "tmpfs": {"/tmp": f"exec,size={WRITABLE_BYTES},nr_inodes={FILES},mode=1777"},
            "shm_size": WRITABLE_BYTES,
            # What it may do.
            "user": f"{NOBODY}:{NOBODY}",
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges:true", f"seccomp={system_call_profile()}"],
            # What it may use.
            "mem_limit": memory,
            "memswap_limit": memory,
            "pids_limit": self.limits.processes * TASKS_A_PROCESS,
            "nano_cpus": int(CORES * 1e9),
            "ulimits": [
                {"name": "nofile", "soft": OPEN_FILES, "hard": OPEN_FILES},
                {"name": "core", "soft": 0, "hard": 0},
            ],
            # Nothing of it is kept, and nothing else runs in it.
            "log_config": {"type": "none"},
            "healthcheck": {"test": ["NONE"]},
        }


class RunningContainer:
    """A container, looked at twice a second. Each wait for the engine is in a thread."""

    _following: asyncio.Task[Ending]

    def __init__(
        self, engine: Engine, container: Container, limits: Limits, watcher: Watcher
    ) -> None:
        self._engine = engine
        self._container = container
        self._limits = limits
        self._watcher = watcher

    async def start(self, output: Output) -> None:
        """Starts it. If the image's program cannot be run, that is the bot's fault."""
        reader, writer = await attach(self._engine, str(self._container.id))
        try:
            await asyncio.to_thread(self._container.start)
        except APIError as error:
            if error.status_code != CANNOT_START:
                writer.close()
                raise
            why = f"The image's program could not be started: {error.explanation}."
            self._watcher.tell(BotLost(FaultKind.START_FAILED, why))
        reading = asyncio.create_task(follow(reader, output))
        self._following = asyncio.create_task(self._follow(reading))
        self._following.add_done_callback(lambda task: self._end(task, writer))

    def signal(self, number: signal.Signals) -> None:
        """Sends the bot's first process a signal, in a moment; the kernel does not deliver to it
        what it does not handle."""
        asyncio.get_running_loop().run_in_executor(None, self._signal, number.name)

    @property
    def exit_code(self) -> int | None:
        known = self._following.done() and self._following.exception() is None
        return self._following.result().code if known else None

    async def ended(self) -> Ending:
        return await asyncio.shield(self._following)

    async def kill(self) -> None:
        await self.remove()
        await asyncio.wait((self._following,))

    async def remove(self) -> None:
        """Removes it, whether it runs or not. Raises ArenaFailure."""
        try:
            await asyncio.to_thread(self._remove)
        except (DockerException, RequestException) as error:
            raise ArenaFailure(f"A bot's container cannot be removed: {error}.") from error

    # What the engine is asked, in a thread.

    def _signal(self, name: str) -> None:
        with suppress(APIError):  # it has ended
            self._container.kill(name)

    def _remove(self) -> None:
        for tries_left in reversed(range(REMOVE_TRIES)):
            try:
                self._container.remove(force=True)
            except NotFound:
                return
            except APIError:  # a busy engine gives up after 10 seconds, or is at it already
                if not tries_left:
                    raise
                time.sleep(PERIOD_S)
            else:
                return

    def _state(self) -> dict[str, Any]:
        try:
            self._container.reload()
        except NotFound:  # it was removed by `kill`
            return REMOVED
        state: dict[str, Any] = self._container.attrs["State"]
        return state

    def _usage(self) -> tuple[int, int]:
        """Bytes of memory that cannot be taken back, and processes with their threads."""
        try:
            stats = self._engine.client.api.stats(
                str(self._container.id), stream=False, one_shot=True
            )
        except NotFound:
            return 0, 0
        memory = stats["memory_stats"]
        counters = memory.get("stats", {})
        file_pages = counters.get("total_inactive_file", counters.get("inactive_file", 0))
        return memory.get("usage", 0) - file_pages, stats["pids_stats"].get("current", 0)

    # What becomes of it.

    async def _follow(self, reading: asyncio.Task[None]) -> Ending:
        """Follows the container to its end."""
        try:
            while (state := await asyncio.to_thread(self._state))["Running"]:
                self._check(*await asyncio.to_thread(self._usage))
                # The end of its output is mostly its own, but a bot may close it and live on.
                ended, _ = await asyncio.wait((reading,), timeout=PERIOD_S)
                if ended:
                    await asyncio.sleep(ENDING_S)
            await asyncio.wait((reading,), timeout=LAST_WORDS_S)
        except (DockerException, RequestException) as error:
            raise ArenaFailure(f"The container engine fails: {error}.") from error
        finally:
            reading.cancel()
        if state["OOMKilled"]:
            return Ending(state["ExitCode"], used_up(self._limits))
        return Ending(state["ExitCode"])

    def _check(self, memory_bytes: int, tasks: int) -> None:
        limits = self._limits
        self._watcher.uses(memory_bytes / (limits.memory_mb << 20))
        if tasks >= limits.processes * TASKS_A_PROCESS:
            self._watcher.tell(BotLost(FaultKind.RESOURCE_LIMIT, forked_on(limits)))

    def _end(self, following: asyncio.Task[Ending], writer: asyncio.StreamWriter) -> None:
        writer.close()
        if following.cancelled():
            return
        failure = following.exception()
        if isinstance(failure, ArenaFailure):
            self._watcher.tell(failure)
        else:
            self._watcher.tell(following.result())


async def attach(engine: Engine, container: str) -> Stream:
    """Opens the stream of what a container will print. docker's own client lends the socket of an
    HTTP response, with whatever that has read already. Raises OSError."""
    reader, writer = await asyncio.open_unix_connection(engine.socket, limit=CHUNK_BYTES)
    path = f"/containers/{container}/attach?stream=1&stdout=1&stderr=1"
    upgrade = "Host: engine\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
    writer.write(f"POST {path} HTTP/1.1\r\n{upgrade}\r\n".encode())
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        writer.close()
        raise ConnectionError(f"the engine does not attach: {error}") from error
    if b" 101 " not in head.splitlines()[0]:
        writer.close()
        raise ConnectionError(f"the engine does not attach: {head.decode(errors='replace')}")
    return reader, writer


async def follow(reader: asyncio.StreamReader, output: Output) -> None:
    """Adds all that a container prints, until its end."""
    with suppress(asyncio.IncompleteReadError):
        while True:
            header = await reader.readexactly(HEADER_BYTES)
            left = int.from_bytes(header[4:], "big")
            while left:
                data = await reader.read(min(left, CHUNK_BYTES))
                if not data:
                    return
                left -= len(data)
                output.add(data)
                if len(data) == CHUNK_BYTES:
                    await asyncio.sleep(PAUSE_S)
