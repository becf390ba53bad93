"""Targets on the machine that an escape bot tries to reach; they detect any bot that does."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.bots.references import find_bot
from arena.bots.sandbox.kernel_files import DEVICES
from arena.bots.source.program import Program

HERE = Path(__file__).parent
PROGRAM = ("escape_bot.py", "attempts.py", "fatal_attempts.py", "talking.py")
SECRET = "the-password-of-the-database"


@dataclass(frozen=True)
class Witness:
    """Waiting servers, and the folder of all targets.

    `mark`: an argument of the processes that the bot leaves behind.
    """

    folder: Path
    mark: str
    listeners: Sequence[socket.socket]

    def bot(self, attempts: Sequence[str], fatal: str = "") -> Program:
        """Returns a folder with the escape bot."""
        folder = self.folder / f"bot-{uuid.uuid4()}"
        folder.mkdir()
        for name in PROGRAM:
            shutil.copy(HERE / name, folder)
        run = json.dumps(["python", "escape_bot.py", *([fatal] if fatal else [])])
        (folder / "bot.toml").write_text(f'name = "escape"\nrun = {run}\n')
        (folder / "targets.json").write_text(json.dumps(self._targets(attempts)))
        return _found(folder)

    def build(self, attempts: Sequence[str], seat: int) -> Program:
        """Returns a folder with a bot whose build makes the attempts. The folder is its own."""
        folder = self.bot(attempts).folder
        targets = {**self._targets(attempts), "own": ["."]}
        (folder / "targets.json").write_text(json.dumps(targets))
        shutil.copy(HERE / "escape_build.py", folder)
        build = json.dumps(["python", "escape_build.py", str(seat)])
        with (folder / "bot.toml").open("a") as manifest:
            manifest.write(f"build = {build}\n")
        return _found(folder)

    def nobody_came(self) -> bool:
        return not any(_has_news(listener) for listener in self.listeners)

    def _targets(self, attempts: Sequence[str]) -> dict[str, object]:
        tcp, udp, path, abstract = self.listeners
        return {
            "attempts": list(attempts),
            "own": [],
            "rival": str(self.folder / "rival"),
            "data": str(self.folder),
            "secret": SECRET,
            "arena_pid": os.getpid(),
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "unix": path.getsockname(),
            "abstract": abstract.getsockname().lstrip(b"\0").decode(),
            "host": socket.gethostname(),
            "mark": self.mark,
            # Only root can create devices, so other arenas' bots see the machine's.
            "devices": [f"/dev/{name}" for name in (*DEVICES, "stdin")]
            if os.geteuid() == 0
            else [],
        }


def _found(folder: Path) -> Program:
    program = find_bot(str(folder))
    assert isinstance(program, Program)
    return program


def _has_news(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@contextmanager
def waiting() -> Iterator[Witness]:
    """Runs the servers that wait for escaping bots."""
    mark = f"mark-{uuid.uuid4()}"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "arena.sqlite3").write_text("the ratings of all")
        (folder / "rival").mkdir()
        (folder / "rival" / "bot.py").write_text("what the rival thinks")
        places: list[tuple[int, int, object]] = [
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            (socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "socket")),
            (socket.AF_UNIX, socket.SOCK_STREAM, f"\0{mark}"),
        ]
        listeners = []
        for family, kind, address in places:
            listener = stack.enter_context(socket.socket(family, kind))
            listener.bind(address)
            if kind == socket.SOCK_STREAM:
                listener.listen()
            listener.setblocking(False)
            listeners.append(listener)
        # Another part of the arena, with a password in its environment.
        words, environment = ["sleep", "600"], os.environ | {"DATABASE_PASSWORD": SECRET}
        part = stack.enter_context(subprocess.Popen(words, env=environment))
        stack.callback(part.kill)
        yield Witness(folder, mark, listeners)
