"""Bots that dial in, and a wire that can be cut."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from arena.store.open import open_store
from arena.store.schema import MatchSeat
from tests.support.command_line import ran, ran_apart
from tests.support.patience import PATIENCE_S, until
from tests.support.whole_arena.arena import Part, WholeArena
from tests.support.whole_arena.strangers import address, token_of

# Slow enough for a match to last for seconds.
PONDERER = """
import time
from sevens_sdk import Bot, run

class Ponderer(Bot):
    def choose(self, decision):
        print(decision.number, flush=True)
        time.sleep(0.15)
        return self.random.choice(decision.legal)

run(Ponderer)
"""


def registered(arena: WholeArena, server: Part, **more: str) -> dict[str, str]:
    """Registers a remote bot of Ann's; returns what its program needs to dial in."""
    submitted = ran_apart(
        *("submit", "remote:ann-bot", "--ladder", "main", "--json"),
        server=address(server),
        token=token_of(arena, "Ann"),
        **more,
    )
    environment: dict[str, str] = submitted.json["environment"]
    return environment


class RemoteProcess:
    """A bot's program on its owner's machine."""

    def __init__(
        self, folder: Path, environment: dict[str, str], command: Sequence[str | Path] = ()
    ) -> None:
        program = folder / "ponderer.py"
        program.write_text(PONDERER)
        self.log = folder / "remote-bot.log"
        inherited = {name: value for name, value in os.environ.items() if "ARENA_" not in name}
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                list(map(str, command)) or [sys.executable, str(program)],
                env=inherited | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def decisions(self) -> int:
        """Returns how many decisions the ponderer received."""
        return sum(line.isdecimal() for line in self.log.read_text().splitlines())

    def until_asked_again(self) -> None:
        """Waits until it is in the middle of a match."""
        asked = self.decisions()
        until(lambda: self.decisions() >= asked + 3, "it is in a match")

    def exit_code(self) -> int:
        return self.process.wait(PATIENCE_S)

    def __enter__(self) -> RemoteProcess:
        return self

    def __exit__(self, *reason: object) -> None:
        self.process.kill()
        self.process.wait()


def faults(arena: WholeArena) -> list[tuple[str, str]]:
    """Returns all faults so far: the bot, and the kind."""
    store = open_store(arena.data, "read")
    with store.reading() as session:
        rows = session.execute(
            sa.select(MatchSeat.bot, MatchSeat.fault_kind).where(MatchSeat.fault_kind.is_not(None))
        ).all()
    store.close()
    return [(bot, kind or "") for bot, kind in rows]


def state(arena: WholeArena, bot: str = "ann-bot") -> str:
    """Returns the bot's state, as the ratings show it."""
    rows = ran("ratings", "main", "--data", arena.data, "--json").json["ratings"]
    [found] = [row["state"] for row in rows if row["bot"] == bot]
    return str(found)


class Wire:
    """A route to a server, with its own address, that can be cut and restored."""

    def __init__(self, server: str) -> None:
        host, _, port = server.rpartition(":")
        self._server = (host, int(port))
        self._whole = threading.Event()
        self._whole.set()
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._whole.clear()
        ends, self._ends = self._ends, []
        for end in ends:
            hang_up(end)

    def restore(self) -> None:
        self._whole.set()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *reason: object) -> None:
        self.cut()
        hang_up(self._listener)

    def _accept(self) -> None:
        with suppress(OSError):  # the test is over
            while True:
                near, _ = self._listener.accept()
                if self._whole.is_set():
                    self._join(near)
                else:
                    hang_up(near)

    def _join(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection(self._server)
        except OSError:
            hang_up(near)
            return
        self._ends += (near, far)
        for here, there in ((near, far), (far, near)):
            threading.Thread(target=carry, args=(here, there), daemon=True).start()


def carry(here: socket.socket, there: socket.socket) -> None:
    """Forwards bytes from one end to the other until one hangs up; then it closes the other."""
    with suppress(OSError):
        while data := here.recv(65536):
            there.sendall(data)
    hang_up(here)
    hang_up(there)


def hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
