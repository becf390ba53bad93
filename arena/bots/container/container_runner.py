"""Runs bots that are images in containers: no network, no privileges, only memory to write to."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiodocker import DockerError
from aiodocker.containers import DockerContainer
from aiodocker.stream import Stream

from arena.bots.container.engine_client import (
    CALL_ERRORS,
    LABEL,
    NOT_FOUND,
    RUNTIME_VARIABLE,
    TIMEOUT,
    Engine,
    arena_of,
    find_engine,
    reason,
    status_of,
)
from arena.bots.interface import ArenaFailure, BotLost, MachineFailure
from arena.bots.limits import (
    CPU_CORES,
    OPEN_FILES,
    TASKS_PER_PROCESS,
    WRITABLE_BYTES,
    out_of_memory,
    too_many_tasks,
    waited_s,
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
FILES = 4096  # the most files in /tmp
REMOVE_TRIES = 3
PAUSE_BEFORE_REMOVING_S = 0.5
MESSAGE_BYTES = 64  # the effort of reading one more piece of output, in bytes
ENTERABLE = 0o711  # by the user inside, which is another one; but not listable
CANNOT_START = 400  # the engine's status if it cannot run the image's program
REMOVED = Ending(128 + signal.SIGKILL)


class Containers:
    """The containers of one host, all of which are removed when it ends. Everything is prepared for
    the first of them."""

    _watchdog: Watchdog

    def __init__(self) -> None:
        self._arena = f"{arena_of(os.getpid())}/{secrets.token_hex(4)}"
        self._engine: Engine | None = None
        self._preparing = asyncio.Lock()

    async def runner_for(self, image: Image, access: Access) -> ContainerRunner:
        """Returns the way to run a bot in a container. Raises MachineFailure, also if this
        machine's engine lacks the image, since another machine's may have it."""
        try:
            async with self._preparing:
                engine = self._engine or await self._prepare()
                image_id = await engine.ensure_image(image)
        except (EngineTrouble, UnusableImage) as trouble:
            raise MachineFailure(str(trouble)) from None
        return ContainerRunner(engine, self._arena, image_id, access, image.limits)

    async def _prepare(self) -> Engine:
        engine = await find_engine()
        try:
            await engine.remove_leftovers()
            label = f"{LABEL}={self._arena}"
            self._watchdog = Watchdog(remove_containers, engine.socket, label)
        except (EngineTrouble, ArenaFailure):
            await engine.aclose()
            raise
        self._engine = engine
        return engine

    async def aclose(self) -> None:
        """Removes containers whose start was interrupted; the bots have been stopped."""
        if self._engine is not None:
            await asyncio.to_thread(self._watchdog.dismiss)
            await self._engine.aclose()


@dataclass(frozen=True)
class ContainerRunner:
    """Starts the containers of a bot.

    `arena`: names the host that the containers belong to, in their label.
    `image`: the image's id.
    """

    engine: Engine
    arena: str
    image: str
    access: Access
    limits: Limits

    async def start(self, output: Output, watcher: Watcher) -> ContainerInstance:
        self.access.folder.chmod(ENTERABLE)
        try:
            container = await self.engine.containers.create(self._options())
        except CALL_ERRORS as error:
            raise ArenaFailure(f"A bot's container cannot be created: {reason(error)}.") from error
        instance = ContainerInstance(container, self.limits, watcher)
        try:
            await instance.start(output)
        except CALL_ERRORS as error:
            await instance.remove()
            raise ArenaFailure(f"A bot's container cannot be started: {reason(error)}.") from error
        return instance

    def _options(self) -> dict[str, Any]:
        # As another user than every other bot: the kernel counts by user how much is in use.
        user = a_user()
        environment = {
            "HOME": "/tmp",
            "LANG": "C.UTF-8",
            **self.access.environment(f"unix:{SOCKETS}/{SOCKET}"),
        }
        return {
            "Image": self.image,
            "Labels": {LABEL: self.arena},
            "Hostname": "bot",
            "User": f"{user}:{user}",
            "Env": [f"{name}={value}" for name, value in environment.items()],
            "Healthcheck": {"Test": ["NONE"]},  # the engine runs nothing else in it
            "HostConfig": self._host_options(),
        }

    def _host_options(self) -> dict[str, Any]:
        memory = self.limits.memory_mb << 20
        # The engine's own list is shorter; what it names besides does not exist here.
        hidden = (*hidden_in_proc(), *hidden_in_sys(), TERMINALS)
        return {
            "Runtime": os.environ.get(RUNTIME_VARIABLE, ""),
            # Access.
            "NetworkMode": "none",
            "IpcMode": "private",
            "Binds": [f"{self.access.folder}:{SOCKETS}:ro"],
            "ReadonlyRootfs": True,
            "Tmpfs": {"/tmp": f"exec,size={WRITABLE_BYTES},nr_inodes={FILES},mode=1777"},
            "ShmSize": WRITABLE_BYTES,
            "MaskedPaths": [str(path) for path in hidden],
            # Privileges.
            "CapDrop": ["ALL"],
            "SecurityOpt": ["no-new-privileges:true", f"seccomp={system_call_profile()}"],
            # Resources.
            "Memory": memory,
            "MemorySwap": memory,
            "PidsLimit": self.limits.processes * TASKS_PER_PROCESS,
            "NanoCpus": int(CPU_CORES * 1e9),
            "Ulimits": [
                {"Name": "nofile", "Soft": OPEN_FILES, "Hard": OPEN_FILES},
                {"Name": "core", "Soft": 0, "Hard": 0},
            ],
            "LogConfig": {"Type": "none"},  # the output is read as it comes
        }


class ContainerInstance:
    """A container, whose use of memory and processes the engine reports once a second."""

    _following: asyncio.Task[Ending]

    def __init__(self, container: DockerContainer, limits: Limits, watcher: Watcher) -> None:
        self._container = container
        self._limits = limits
        self._watcher = watcher
        self._signalling: set[asyncio.Task[bool]] = set()

    async def start(self, output: Output) -> None:
        """Starts it. It is the bot's fault if the image's program cannot be run."""
        printed = self._container.attach(stdout=True, stderr=True)
        async with AsyncExitStack() as attached:
            attached.push_async_callback(printed.close)
            await printed.__aenter__()
            try:
                await self._container.start()
            except DockerError as error:
                if error.status != CANNOT_START:
                    raise
                sentence = "The image's program could not be started."
                words = f"The engine says: {error.message}."
                self._watcher.report(BotLost(FaultKind.START_FAILED, sentence, words))
            self._following = asyncio.create_task(self._follow(printed, output))
            self._following.add_done_callback(self._end)
            attached.pop_all()

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the bot's first process, without waiting for that. The kernel does not
        deliver signals that this process does not handle."""
        sending = asyncio.create_task(_try(self._container.kill(signal=number.name)))
        self._signalling.add(sending)
        sending.add_done_callback(self._signalling.discard)

    @property
    def exit_code(self) -> int | None:
        known = self._following.done() and self._following.exception() is None
        return self._following.result().code if known else None

    async def ended(self) -> Ending:
        return await asyncio.shield(self._following)

    async def freeze(self) -> bool:
        return await _try(self._container.pause())

    async def thaw(self) -> None:
        await _try(self._container.unpause())

    @property
    def memory_bytes(self) -> int:
        return self._limits.memory_mb << 20

    async def kill(self) -> None:
        await self.remove()
        await asyncio.wait((self._following, *self._signalling))

    async def remove(self) -> None:
        """Removes it, even if it runs. Raises ArenaFailure."""
        for tries_left in reversed(range(REMOVE_TRIES)):
            try:
                await self._container.delete(force=True, timeout=TIMEOUT)
            except CALL_ERRORS as error:
                if status_of(error) == NOT_FOUND:
                    return
                if not tries_left:  # a busy engine gave up after 10 seconds, or already removes it
                    raise ArenaFailure(
                        f"A bot's container cannot be removed: {reason(error)}."
                    ) from error
                await asyncio.sleep(PAUSE_BEFORE_REMOVING_S)
            else:
                return

    # Its end.

    async def _follow(self, printed: Stream, output: Output) -> Ending:
        """Follows the container to its end."""
        reading = asyncio.create_task(follow(printed, output))
        checking = asyncio.create_task(self._check_usage())
        try:
            await self._container.wait()
            await asyncio.wait((reading,), timeout=REST_WITHIN_S)
            state = (await self._container.show())["State"]
        except CALL_ERRORS as error:
            if status_of(error) != NOT_FOUND:  # else it was removed by `kill`
                raise ArenaFailure(f"The container engine failed: {reason(error)}.") from error
            return REMOVED
        finally:
            reading.cancel()
            checking.cancel()
            await printed.close()
        if state["OOMKilled"]:
            return Ending(state["ExitCode"], out_of_memory(self._limits))
        return Ending(state["ExitCode"])

    async def _check_usage(self) -> None:
        """Reports the container's use of memory and processes, until its end."""
        with suppress(*CALL_ERRORS):  # `_follow` finds out as well that the engine fails
            pid = (await self._container.show())["State"]["Pid"]
            async for stats in self._container.stats():
                self._check(*_usage(stats), waited_s(pid))

    def _check(self, memory_bytes: int, tasks: int, waited: float) -> None:
        limits = self._limits
        self._watcher.uses(memory_bytes / (limits.memory_mb << 20), waited)
        if tasks >= limits.processes * TASKS_PER_PROCESS:
            self._watcher.report(BotLost(FaultKind.RESOURCE_LIMIT, too_many_tasks(limits)))

    def _end(self, following: asyncio.Task[Ending]) -> None:
        if following.cancelled():
            return
        failure = following.exception()
        if isinstance(failure, ArenaFailure):
            self._watcher.report(failure)
        else:
            self._watcher.report(following.result())


async def _try(call: Coroutine[Any, Any, None]) -> bool:
    """True if the engine did that."""
    try:
        await call
    except CALL_ERRORS:  # the container has ended, or the engine cannot do it
        return False
    return True


def _usage(stats: Mapping[str, Any]) -> tuple[int, int]:
    """Returns the bytes of memory that the kernel cannot reclaim, and the number of processes and
    threads."""
    memory = stats.get("memory_stats", {})
    counters = memory.get("stats", {})
    file_pages = counters.get("total_inactive_file", counters.get("inactive_file", 0))
    return memory.get("usage", 0) - file_pages, stats.get("pids_stats", {}).get("current", 0)


async def follow(printed: Stream, output: Output) -> None:
    """Adds everything that a container prints, until its end."""
    size = 0
    while (message := await printed.read_out()) is not None:
        output.add(message.data)
        size += len(message.data) + MESSAGE_BYTES
        if size >= CHUNK_BYTES:
            size = 0
            await asyncio.sleep(PAUSE_S)
