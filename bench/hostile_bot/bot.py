"""Plays legal moves, and meanwhile does what its command line says to cost others their time. It
speaks the protocol itself, so that it can break it."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

import grpc
from raw_http2 import beginning, call, connected, message, ping, reset

from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame, Hello
from sevens.bot.v1.decision_pb2 import Answer
from sevens.bot.v1.match_pb2 import MatchAccept

ADDRESS, TOKEN = os.environ["ARENA_ADDRESS"], os.environ["ARENA_TOKEN"]
PLAY = "/sevens.bot.v1.BotService/Play"
HELLO = BotFrame(hello=Hello(token=TOKEN, protocol=1))
MIB = 1 << 20

SPARES = 4

outbox: SimpleQueue[bytes] = SimpleQueue()
channel: grpc.Channel
spares: list[socket.socket] = []


def frames(raw: bytes, most_waiting: int) -> None:
    while True:
        if outbox.qsize() < most_waiting:
            outbox.put(raw)
        else:
            time.sleep(0.001)


def empty_frames() -> None:
    frames(b"", 1000)


def empty_entries() -> None:
    frames(BotFrame(answers=[Answer()] * (MIB // 2 - 1)).SerializeToString(), 4)


def giant_notes() -> None:
    frames(BotFrame(answers=[Answer(note="7" * (MIB - 64))]).SerializeToString(), 4)


def stray_answers() -> None:
    frames(BotFrame(answers=[Answer(match_id="other", number=7)] * 4000).SerializeToString(), 16)


def streams() -> None:
    """Streams that are refused, each with a first frame as large as gRPC lets it be."""
    first = b"\x0a\x00" * (MIB // 2)
    again = channel.stream_stream(PLAY)
    while True:
        with suppress(grpc.RpcError):
            for _ in again(iter([first])):
                pass


def on_spare_connections(round_of: Callable[[int], bytes]) -> None:
    """Sends the bytes for ever, on a connection from before the hello: the arena lets a bot with a
    stream open no other. Whenever it ends one, the next is taken."""
    for spare in spares:
        with suppress(OSError):
            threading.Thread(target=drained, args=(spare,), daemon=True).start()
            number = 1
            while True:
                spare.sendall(round_of(number))
                number += 200


def drained(connection: socket.socket) -> None:
    with suppress(OSError):
        while connection.recv(65_536):
            pass


def pings() -> None:
    on_spare_connections(lambda _: ping() * 100)


def resets() -> None:
    """HTTP/2's rapid reset."""
    on_spare_connections(
        lambda number: b"".join(
            call(number + i, PLAY)
            + message(number + i, HELLO.SerializeToString())
            + reset(number + i)
            for i in range(0, 200, 2)
        )
    )


def unknown_methods() -> None:
    on_spare_connections(lambda number: b"".join(call(number + i, "/x") for i in range(0, 200, 2)))


def connections() -> None:
    while True:
        with suppress(OSError):
            connected(ADDRESS).close()


def slow_connections() -> None:
    """Waits for the arena to end each."""
    while True:
        with suppress(OSError):
            held = [connected(ADDRESS) for _ in range(16)]
            for one in held[8:]:
                one.recv(65_536)
                one.close()


def output() -> None:
    """One byte at a time, so that each may wake the reader."""
    while True:
        os.write(2, b"x")


def spin() -> None:
    for _ in range(7):
        if os.fork() == 0:
            break
    while True:
        pass


def memory() -> None:
    """Writes to ever more memory, until it is killed."""
    taken = []
    while True:
        taken.append(os.urandom(MIB))


def disk() -> None:
    """Fills every folder that it can write to, and begins again."""
    while True:
        for folder in ("/tmp", "/dev/shm", "."):
            with suppress(OSError), Path(folder, "filler").open("wb", 0) as file:
                while True:
                    file.write(bytes(MIB))


def forks() -> None:
    """Starts processes, as many as it may have, that end at once."""
    while True:
        with suppress(OSError):
            if os.fork() == 0:
                os._exit(0)
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


def nothing() -> None:
    """An honest bot."""


ATTACKS: dict[str, Callable[[], None]] = {
    attack.__name__.replace("_", "-"): attack
    for attack in (
        nothing,
        empty_frames,
        empty_entries,
        giant_notes,
        stray_answers,
        streams,
        unknown_methods,
        resets,
        pings,
        connections,
        slow_connections,
        output,
        spin,
        forks,
        memory,
        disk,
    )
}


ON_SPARES = (unknown_methods, resets, pings)
BEFORE_THE_HELLO = (connections, slow_connections)


def spoken() -> Iterator[bytes]:
    yield HELLO.SerializeToString()
    while True:
        yield outbox.get()


def play() -> None:
    for raw in channel.stream_stream(PLAY)(spoken()):
        frame = ArenaFrame.FromString(raw)
        said = BotFrame(
            accepts=[MatchAccept(match_id=start.match_id) for start in frame.starts],
            answers=[
                Answer(match_id=decision.match_id, number=decision.number, index=0)
                for decision in frame.decisions
            ],
        )
        if said.accepts or said.answers:
            outbox.put(said.SerializeToString())
        if frame.decisions:
            begun.set()
        if frame.HasField("goodbye"):
            os._exit(0)


def attack_later(attack: Callable[[], None]) -> None:
    begun.wait()
    attack()


if __name__ == "__main__":
    begun, attack = threading.Event(), ATTACKS[sys.argv[1]]
    if attack in BEFORE_THE_HELLO:
        threading.Thread(target=attack, daemon=True).start()
        threading.Event().wait(1.0)
    for _ in range(SPARES if attack in ON_SPARES else 0):
        spares.append(connected(ADDRESS))
        spares[-1].sendall(beginning())
    channel = grpc.insecure_channel(ADDRESS, [("grpc.use_local_subchannel_pool", 1)])
    threading.Thread(target=attack_later, args=(attack,), daemon=True).start()
    play()
