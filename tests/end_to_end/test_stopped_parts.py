"""Parts of a served arena that stop are named at /readyz, within the time that a look may take."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import pytest

from tests.support.patience import PATIENCE_S, until
from tests.support.whole_arena.arena import WholeArena

pytestmark = pytest.mark.slow


def condition(origin: str) -> tuple[int, dict[str, str]]:
    """Returns the status of /readyz, and the sentences of the parts that do not work."""
    try:
        with urlopen(f"{origin}/readyz", timeout=PATIENCE_S) as answer:
            status, text = answer.status, answer.read()
    except HTTPError as refused:
        status, text = refused.code, refused.read()
    return status, {
        one["part"]: one["sentence"] for one in json.loads(text)["parts"] if not one["ok"]
    }


def until_ready(origin: str) -> None:
    until(lambda: condition(origin) == (200, {}), "the arena is ready")


@contextmanager
def stopped(process: psutil.Process) -> Iterator[None]:
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def test_a_stopped_league_and_a_stopped_valkey_are_named(tmp_path: Path) -> None:
    with WholeArena(tmp_path) as arena:
        arena.create()
        server = arena.server()
        origin = server.pages()
        until_ready(origin)
        with stopped(psutil.Process(server.process.pid)):
            status, faulty = condition(origin)
            assert (status, set(faulty)) == (503, {"league"})
            assert f"Process {server.process.pid}, the league" in faulty["league"]
        until_ready(origin)
        with stopped(arena.valkey()):
            until(lambda: "queue" in condition(origin)[1], "the queue is named")
            assert condition(origin)[0] == 503
        until_ready(origin)
        server.stop()


def test_a_queue_without_workers_is_named_and_logged(tmp_path: Path) -> None:
    with WholeArena(tmp_path) as arena:
        arena.create()
        server = arena.server(workers=0)
        origin = server.pages()
        until(lambda: "workers" in condition(origin)[1], "the missing workers are named")
        server.until_says("Jobs wait, and no worker takes them")
        worker = arena.worker()
        until_ready(origin)
        server.until_says("workers take jobs again")
        worker.stop()
        server.stop()
