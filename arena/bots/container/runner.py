"""Runs bots that are images in containers: no network, no privileges, only memory to write to."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from docker.errors import APIError, DockerException, NotFound
from docker.models.containers import Container
from requests.exceptions import RequestException

from arena.bots.container.engine import (
    LABEL,
    RUNTIME_VARIABLE,
    Engine,
    arena_of,
    ensure_image,
    find_engine,
    remove_leftovers,
)
from arena.bots.interface import ArenaFailure, BotLost, MachineFailure
from arena.bots.limits import (
    CPU_CORES,
    OPEN_FILES,
    TASKS_PER_PROCESS,
    WRITABLE_BYTES,
    out_of_memory,
    too_many_tasks,
)
from arena.bots.local import CHUNK_BYTES, PAUSE_S, REST_WITHIN_S, Access, Ending, Output, Watcher
from arena.bots.sandbox import (
    SOCKETS,
    a_user,
    hidden_in_proc,
    hidden_in_sys,
    system_call_profile,
)
from arena.bots.source import EngineTrouble, Image, Limits, UnusableImage
from arena.bots.stream import SOCKET
from arena.bots.watchdog import Watchdog, remove_containers
from arena.protocol import FaultKind

TERMINALS = Path("/dev/pts")  # whose number is limited for the whole machine
PERIOD_S = 0.5
ENDING_S = 0.05
FILES = 4096  # the most files in /tmp
REMOVE_TRIES = 3
HEADER_BYTES = 8  # before each piece of output: the stream, and the length of the piece
ENTERABLE = 0o711  # by the user inside, which is another one; but not listable
CANNOT_START = 400  # the engine's status if it cannot run the image's program
REMOVED = {"Running": False, "OOMKilled": False, "ExitCode": 128 + signal.SIGKILL}

Stream: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Containers:
    """The containers of one host, all of which are removed when it ends. Everything is prepared for
    the first of them."""

    def __init__(self) -> None:
        self._arena = f"{arena_of(os.getpid())}/{secrets.token_hex(4)}"
        self._watchdog: Watchdog | None = None

    def runner_for(self, image: Image, access: Access) -> ContainerRunner:
        """Returns the way to run a bot in a container. Blocks on the engine. Raises MachineFailure,
        also if this machine's engine lacks the image, since another machine's may have it."""
        try:
            connected = find_engine()
            image_id = ensure_image(image)
            if self._watchdog is None:
                remove_leftovers()
                label = f"{LABEL}={self._arena}"
                self._watchdog = Watchdog(remove_containers, connected.socket, label)
        except (EngineTrouble, UnusableImage) as trouble:
            raise MachineFailure(str(trouble)) from None
        return ContainerRunner(connected, self._arena, image_id, access, image.limits)

    def close(self) -> None:
        """Removes containers whose start was interrupted; the bots have been stopped."""
        if self._watchdog is not None:
            self._watchdog.dismiss()


@dataclass(frozen=True)
class ContainerRunner:
    """Starts the containers of a bot.

    `arena`: names the host that the containers belong to, in their label.
    `image`: the image's id.
    """

    ending_known_s: ClassVar[float] = 5.0  # the engine has to be asked, and may be busy

    engine: Engine
    arena: str
    image: str
    access: Access
    limits: Limits

    async def start(self, output: Output, watcher: Watcher) -> ContainerInstance:
        self.access.folder.chmod(ENTERABLE)
        try:
            container = await asyncio.to_thread(self._create)
        except (DockerException, RequestException) as error:
            raise ArenaFailure(f"A bot's container cannot be created: {error}.") from error
        instance = ContainerInstance(self.engine, container, self.limits, watcher)
        try:
            await instance.start(output)
        except (DockerException, RequestException, OSError) as error:
            await instance.remove()
            raise ArenaFailure(f"A bot's container cannot be started: {error}.") from error
        return instance

    def _create(self) -> Container:
        client = self.engine.client
        # As another user than every other bot: the kernel counts by user how much is in use.
        user = a_user()
        host = client.api.create_host_config(**self._host_options())
        # The engine's own list is shorter; what it names besides does not exist here.
        hidden = (*hidden_in_proc(), *hidden_in_sys(), TERMINALS)
        host["MaskedPaths"] = [str(path) for path in hidden]
        created = client.api.create_container(
            self.image,
            labels={LABEL: self.arena},
            hostname="bot",
            user=f"{user}:{user}",
            environment={
                "HOME": "/tmp",
                "LANG": "C.UTF-8",
                **self.access.environment(f"unix:{SOCKETS}/{SOCKET}"),
            },
            healthcheck={"test": ["NONE"]},  # the engine runs nothing else in it
            host_config=host,
        )
        container: Container = client.containers.get(created["Id"])
        return container

    def _host_options(self) -> dict[str, Any]:
        memory = self.limits.memory_mb << 20
        return {
            "runtime": os.environ.get(RUNTIME_VARIABLE) or None,
            # Access.
            "network_mode": "none",
            "ipc_mode": "private",
            "binds": {str(self.access.folder): {"bind": SOCKETS, "mode": "ro"}},
            "read_only": True,
            "tmpfs": {"/tmp": f"exec,size={WRITABLE_BYTES},nr_inodes={FILES},mode=1777"},
            "shm_size": WRITABLE_BYTES,
            # Privileges.
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges:true", f"seccomp={system_call_profile()}"],
            # Resources.
            "mem_limit": memory,
            "memswap_limit": memory,
            "pids_limit": self.limits.processes * TASKS_PER_PROCESS,
            "nano_cpus": int(CPU_CORES * 1e9),
            "ulimits": [
                {"name": "nofile", "soft": OPEN_FILES, "hard": OPEN_FILES},
                {"name": "core", "soft": 0, "hard": 0},
            ],
            "log_config": {"type": "none"},  # the output is read as it comes
        }


class ContainerInstance:
    """A container, checked twice a second. The engine is called in threads, since calls block."""

    _following: asyncio.Task[Ending]

    def __init__(
        self, engine: Engine, container: Container, limits: Limits, watcher: Watcher
    ) -> None:
        self._engine = engine
        self._container = container
        self._limits = limits
        self._watcher = watcher

    async def start(self, output: Output) -> None:
        """Starts it. It is the bot's fault if the image's program cannot be run."""
        reader, writer = await attach(self._engine, str(self._container.id))
        try:
            await asyncio.to_thread(self._container.start)
        except APIError as error:
            if error.status_code != CANNOT_START:
                writer.close()
                raise
            sentence = "The image's program could not be started."
            words = f"The engine says: {error.explanation}."
            self._watcher.report(BotLost(FaultKind.START_FAILED, sentence, words))
        reading = asyncio.create_task(follow(reader, output))
        self._following = asyncio.create_task(self._follow(reading))
        self._following.add_done_callback(lambda task: self._end(task, writer))

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the bot's first process, without waiting for that. The kernel does not
        deliver signals that this process does not handle."""
        asyncio.get_running_loop().run_in_executor(None, self._signal, number.name)

    @property
    def exit_code(self) -> int | None:
        known = self._following.done() and self._following.exception() is None
        return self._following.result().code if known else None

    async def ended(self) -> Ending:
        return await asyncio.shield(self._following)

    async def freeze(self) -> bool:
        return await asyncio.to_thread(self._try, self._container.pause)

    async def thaw(self) -> None:
        await asyncio.to_thread(self._try, self._container.unpause)

    @property
    def memory_bytes(self) -> int:
        return self._limits.memory_mb << 20

    async def kill(self) -> None:
        await self.remove()
        await asyncio.wait((self._following,))

    async def remove(self) -> None:
        """Removes it, even if it runs. Raises ArenaFailure."""
        try:
            await asyncio.to_thread(self._remove)
        except (DockerException, RequestException) as error:
            raise ArenaFailure(f"A bot's container cannot be removed: {error}.") from error

    # Calls of the engine, made in a thread.

    def _try(self, call: Callable[[], None]) -> bool:
        """Returns whether the engine did that."""
        try:
            call()
        except (DockerException, RequestException):  # it has ended, or the engine cannot do it
            return False
        return True

    def _signal(self, name: str) -> None:
        with suppress(APIError):  # it has ended
            self._container.kill(name)

    def _remove(self) -> None:
        for tries_left in reversed(range(REMOVE_TRIES)):
            try:
                self._container.remove(force=True)
            except NotFound:
                return
            except APIError:  # a busy engine gave up after 10 seconds, or is already removing it
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
        """Returns the bytes of memory that the kernel cannot reclaim, and the number of processes
        and threads."""
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

    # Its end.

    async def _follow(self, reading: asyncio.Task[None]) -> Ending:
        """Follows the container to its end."""
        try:
            while (state := await asyncio.to_thread(self._state))["Running"]:
                self._check(*await asyncio.to_thread(self._usage))
                # The end of its output is usually its own end, but a bot may close that and go on.
                ended, _ = await asyncio.wait((reading,), timeout=PERIOD_S)
                if ended:
                    await asyncio.sleep(ENDING_S)
            await asyncio.wait((reading,), timeout=REST_WITHIN_S)
        except (DockerException, RequestException) as error:
            raise ArenaFailure(f"The container engine failed: {error}.") from error
        finally:
            reading.cancel()
        if state["OOMKilled"]:
            return Ending(state["ExitCode"], out_of_memory(self._limits))
        return Ending(state["ExitCode"])

    def _check(self, memory_bytes: int, tasks: int) -> None:
        limits = self._limits
        self._watcher.uses(memory_bytes / (limits.memory_mb << 20))
        if tasks >= limits.processes * TASKS_PER_PROCESS:
            self._watcher.report(BotLost(FaultKind.RESOURCE_LIMIT, too_many_tasks(limits)))

    def _end(self, following: asyncio.Task[Ending], writer: asyncio.StreamWriter) -> None:
        writer.close()
        if following.cancelled():
            return
        failure = following.exception()
        if isinstance(failure, ArenaFailure):
            self._watcher.report(failure)
        else:
            self._watcher.report(following.result())


async def attach(engine: Engine, container: str) -> Stream:
    """Opens the stream of a container's future output. (The docker package only offers the socket
    of an HTTP response that may already have read from it.) Raises OSError."""
    reader, writer = await asyncio.open_unix_connection(engine.socket, limit=CHUNK_BYTES)
    path = f"/containers/{container}/attach?stream=1&stdout=1&stderr=1"
    upgrade = "Host: engine\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
    writer.write(f"POST {path} HTTP/1.1\r\n{upgrade}\r\n".encode())
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        writer.close()
        raise ConnectionError(f"the engine refuses to attach: {error}") from error
    if b" 101 " not in head.splitlines()[0]:
        writer.close()
        raise ConnectionError(f"the engine refuses to attach: {head.decode(errors='replace')}")
    return reader, writer


async def follow(reader: asyncio.StreamReader, output: Output) -> None:
    """Adds everything that a container prints, until its end."""
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
