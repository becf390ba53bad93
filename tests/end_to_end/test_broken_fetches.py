"""Fetches that fail on their way: the worker reports it, and its job is still played."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from arena.queue.redis_queue import ATTEMPTS
from tests.support.command_line import ran
from tests.support.patience import until
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.remote_bots import carry, hang_up
from tests.support.whole_arena.strangers import address, grpc_address, token_of

pytestmark = pytest.mark.slow

BOOK_BYTES = 4 << 20  # nearly all of the bytes of a version that contains it
OFTEN = 10**6


class Wire:
    """The network between a worker and the server.

    `broken`: how many more large versions are to be cut off in the middle.
    `silenced`: how many more are to stop there without notice.
    `corrupted`: how many more are to be changed there.
    """

    def __init__(self, server: str) -> None:
        host, _, port = server.rpartition(":")
        self._server = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.broken = self.silenced = self.corrupted = 0
        threading.Thread(target=self._take, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _take(self) -> None:
        with suppress(OSError):  # closed
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._server)
                for work in (carry, self._carry_in):
                    threading.Thread(target=work, args=(near, far), daemon=True).start()

    def _carry_in(self, near: socket.socket, far: socket.socket) -> None:
        carried = 0
        with suppress(OSError):
            while some := bytearray(far.recv(1 << 16)):
                carried += len(some)
                halfway = carried > BOOK_BYTES // 2
                if self.broken and halfway:
                    self.broken -= 1
                    break
                if self.silenced and halfway:
                    self.silenced -= 1
                    return  # both ends stay open, and the worker's bytes are still forwarded
                if self.corrupted and halfway:
                    self.corrupted -= 1
                    some[len(some) // 2] ^= 7
                near.sendall(some)
        hang_up(near)
        hang_up(far)


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[WholeArena]:
    """An arena on whose ladder is a bot with a book, which is fetched in many pieces."""
    with WholeArena(tmp_path) as arena:
        bot = Path(shutil.copytree(SAMPLE_BOTS / "random_bot", tmp_path / "reader"))
        (bot / "book").write_bytes(Random(7).randbytes(BOOK_BYTES))
        create = ("ladder", "create", "main", "xeri", bot, SAMPLE_BOTS / "xeri_fisher")
        assert ran(*create, "--set", "deals=1", "--data", arena.data).code == 0
        yield arena
        arena.assert_nothing_runs()


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        # On a slow machine its timeout has passed by then.
        ("broken", ("retrying", "left to other workers")),
        pytest.param(
            *("silenced", ("retrying", "left to other workers")), marks=pytest.mark.nightly
        ),
        ("corrupted", ("given back, the arena failed",)),
    ],
)
def test_a_version_that_is_harmed_on_its_way_is_fetched_again(
    arena: WholeArena, harm: str, words: tuple[str, ...]
) -> None:
    server = arena.server(workers=0)
    wire = Wire(grpc_address(server))
    setattr(wire, harm, 1)
    worker = arena.distant_worker(f"grpc://{wire.address}", token_of(arena, "w1", "worker"))
    until(lambda: arena.recorded() >= 2, "two matches are recorded")
    said = worker.said()
    assert any(one in said for one in words)
    assert getattr(wire, harm) == 0
    if harm == "corrupted":
        assert "could not be fetched from the server: The archive is not a readable tar.gz" in said
    assert arena.parked() == []
    for part in (worker, server):
        part.stop()
    wire.close()


def test_a_server_that_goes_away_again_and_again_costs_no_attempt(arena: WholeArena) -> None:
    server = arena.server(workers=0)
    wire = Wire(grpc_address(server))
    wire.broken = OFTEN
    worker = arena.distant_worker(f"grpc://{wire.address}", token_of(arena, "w1", "worker"))
    # Each attempt says twice that it tries again.
    until(lambda: worker.said().count("; retrying") > 2 * ATTEMPTS, "it has tried")
    assert arena.recorded() == 0
    wire.broken = 0
    until(lambda: arena.recorded() >= 2, "two matches are recorded")
    assert arena.parked() == []
    for part in (worker, server):
        part.stop()
    wire.close()


def test_files_that_were_changed_on_the_server_are_not_played(arena: WholeArena) -> None:
    [book] = arena.data.glob("versions/*/book")
    book.chmod(0o644)
    book.write_bytes(book.read_bytes() + b"7")
    server = arena.server(workers=0)
    worker = arena.distant_worker(address(server), token_of(arena, "w1", "worker"))
    until(lambda: arena.parked(), "the job is given up, with the reason")
    assert "Its files have the digest" in arena.parked()[0]
    assert book.parent.name in arena.parked()[0]
    assert arena.recorded() == 0
    for part in (worker, server):
        part.stop()
