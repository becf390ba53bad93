"""Everything that a season has to get over. A fault is a context manager: it lasts as long as its
context."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from random import Random
from typing import Any, TypeAlias

import psutil
import redis

from arena.store.data_folder import DataFolder
from bench.chaos.stage import NETWORK, Stage
from tests.support.whole_arena.three_machines import cable_of

Fault: TypeAlias = Callable[[Stage, Random], AbstractContextManager[None]]

HOUR_S = 3600
SLOW = "tbf rate 256kbit burst 4k latency 400ms"
BUSY = "while True: pass"


def faults_here(stage: Stage) -> dict[str, Fault]:
    """Returns the faults that can be caused on this machine."""
    of_a_private_network = {
        "the disk is full": disk_is_full,
        "the link is cut": link_is_cut,
        "the link is slow": link_is_slow,
    }
    of_a_proxy = {"the proxy is restarted": kills("nginx", signal.SIGTERM)}
    of_a_compiler: dict[str, Fault] = {"the clock jumps": clock_jumps}
    return (
        EVERYWHERE
        | (of_a_private_network if stage.private else {})
        | (of_a_proxy if "nginx" in stage.kept else {})
        | (of_a_compiler if stage.clock is not None else {})
    )


# Processes ---------------------------------------------------------------------------------------


def _send(process: psutil.Process | subprocess.Popen[bytes] | None, number: int) -> None:
    if process is not None:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def kills(name: str, number: signal.Signals = signal.SIGKILL) -> Fault:
    @contextmanager
    def fault(stage: Stage, random: Random) -> Iterator[None]:
        kept = stage.kept[name]
        kept.doomed = True
        _send(kept.process, number)
        yield

    return fault


def stops(name: str) -> Fault:
    @contextmanager
    def fault(stage: Stage, random: Random) -> Iterator[None]:
        process = stage.kept[name].process
        _send(process, signal.SIGSTOP)
        yield
        _send(process, signal.SIGCONT)

    return fault


def to_a_child(command: str, number: signal.Signals) -> Fault:
    """Returns the fault of a process that `serve` runs."""

    @contextmanager
    def fault(stage: Stage, random: Random) -> Iterator[None]:
        process = stage.child(command)
        _send(process, number)
        yield
        _send(process, signal.SIGCONT)

    return fault


@contextmanager
def machine_is_starved(stage: Stage, random: Random) -> Iterator[None]:
    number = 3 * (os.cpu_count() or 1)
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(number)]
    try:
        yield
    finally:
        for one in busy:
            one.kill()
            one.wait()


# The queue ---------------------------------------------------------------------------------------


def to_the_queue(harm: Callable[[redis.Redis, Random], Callable[[], object] | None]) -> Fault:
    """Returns a fault of the Valkey; none if that does not answer. `harm`: may return its end."""

    @contextmanager
    def fault(stage: Stage, random: Random) -> Iterator[None]:
        with closing(stage.direct()) as client:
            end = None
            with suppress(redis.RedisError):
                end = harm(client, random)
            yield
            if end is not None:
                with suppress(redis.RedisError):  # it has been killed: it is the master again
                    end()

    return fault


def becomes_a_replica(client: redis.Redis, random: Random) -> Callable[[], object]:
    client.replicaof("127.0.0.1", "1")
    return lambda: client.replicaof("NO", "ONE")


def loses_its_data(client: redis.Redis, random: Random) -> None:
    client.flushall()


def drops_connections(client: redis.Redis, random: Random) -> None:
    client.client_kill_filter(_type="normal", skipme=True)


def delivers_twice(client: Any, random: Random) -> None:
    """Adds all jobs and results again, in any order, and drops some of the first ones."""
    for stream in sorted(client.scan_iter(_type="stream")):
        entries = client.xrange(stream)
        random.shuffle(entries)
        for _, fields in entries:
            client.xadd(stream, fields)
        for entry, _ in entries[: len(entries) // 3]:
            client.xdel(stream, entry)


# The machine -------------------------------------------------------------------------------------


@contextmanager
def database_is_locked(stage: Stage, random: Random) -> Iterator[None]:
    with closing(sqlite3.connect(DataFolder(stage.data).database, timeout=1.0)) as store:
        with suppress(sqlite3.OperationalError):  # the arena is writing, or its disk is full
            store.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def disk_is_full(stage: Stage, random: Random) -> Iterator[None]:
    filler = stage.data / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    yield
    filler.unlink()


@contextmanager
def clock_jumps(stage: Stage, random: Random) -> Iterator[None]:
    stage.set_clock(random.choice((-HOUR_S, HOUR_S)))
    yield
    stage.set_clock(0)


@contextmanager
def link_is_cut(stage: Stage, random: Random) -> Iterator[None]:
    _run(f"ip link set {cable_of(NETWORK)} down")
    yield
    _run(f"ip link set {cable_of(NETWORK)} up")


@contextmanager
def link_is_slow(stage: Stage, random: Random) -> Iterator[None]:
    _run(f"tc qdisc replace dev {cable_of(NETWORK)} root {SLOW}")
    yield
    _run(f"tc qdisc del dev {cable_of(NETWORK)} root")


def _run(words: str) -> None:
    subprocess.run(words.split(), check=True)


EVERYWHERE: dict[str, Fault] = {
    "a worker is killed": kills("near"),
    "a worker is stopped": stops("near"),
    "a distant worker is killed": kills("far"),
    "a worker is replaced": kills("far", signal.SIGTERM),
    "serve's worker is killed": to_a_child("worker", signal.SIGKILL),
    "serve's worker is stopped": to_a_child("worker", signal.SIGSTOP),
    "the league is killed": kills("serve"),
    "the league is stopped": stops("serve"),
    "the league is restarted": kills("serve", signal.SIGTERM),
    "the pages are killed": to_a_child("web", signal.SIGKILL),
    "the pages are stopped": to_a_child("web", signal.SIGSTOP),
    "the queue is killed": kills("valkey"),
    "the queue is stopped": stops("valkey"),
    "the queue loses its data": to_the_queue(loses_its_data),
    "the queue becomes a replica": to_the_queue(becomes_a_replica),
    "the queue drops its connections": to_the_queue(drops_connections),
    "the queue delivers twice, in any order": to_the_queue(delivers_twice),
    "the database is locked": database_is_locked,
    "the machine is starved": machine_is_starved,
}
