"""The yardsticks for the host: bare ways to send messages to another process and back.

Each talks to a process started as `python -m bench.peers PART [ADDRESS]`, which answers every
message. The messages are a decision in the middle of Xeri and its answer, or of the same sizes.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Protocol

import grpc.aio

from arena.protocol import DecisionWriter, decision_in
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens_games import SeededDeals, load

CHOICES_BEFORE = 26
LENGTH_BYTES = 4


def decision_of_xeri() -> Decision:
    """A decision in the middle of a hand, when all zones hold cards."""
    match = load("xeri").start(deals=SeededDeals("bench"))
    for _ in range(CHOICES_BEFORE):
        seat = match.to_act[0]
        match.apply(seat, match.legal_actions(seat)[0])
    seat = match.to_act[0]
    return decision_in(
        DecisionWriter("xeri-1-1").frame(
            number=CHOICES_BEFORE // 2,
            seat=seat,
            time_left_ms=60_000,
            legal=match.legal_actions(seat),
            observation=match.observe(seat),
            events=match.events(seat)[-2:],
        )
    )


DECISION = decision_of_xeri()
ANSWER = Answer(match_id=DECISION.match_id, number=DECISION.number, index=0)
DECISION_BYTES, ANSWER_BYTES = DECISION.ByteSize(), ANSWER.ByteSize()


class Exchange(Protocol):
    """Sends at least `messages` messages and waits for their answers; returns the number sent."""

    async def __call__(self, messages: int) -> int: ...


# gRPC: one message out, one back -----------------------------------------------------------


@asynccontextmanager
async def grpc_ping_pong() -> AsyncIterator[Exchange]:
    """A bare stream of `grpc.aio`, bytes in and out, with one message in flight at a time.

    Both ends are processes of their own, because gRPC is bare only without the arena's settings.
    """
    bare = {name: value for name, value in os.environ.items() if name != "GRPC_EXPERIMENTS"}
    bare["GRPC_VERBOSITY"] = "ERROR"
    pair = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.peers", "grpc-pair", stdin=PIPE, stdout=PIPE, env=bare
    )
    orders, reports = pair.stdin, pair.stdout
    assert orders is not None
    assert reports is not None

    async def exchange(messages: int) -> int:
        orders.write(f"{messages}\n".encode())
        return int(await reports.readline())

    try:
        yield exchange
    finally:
        orders.close()
        await pair.wait()


async def _ask_grpc() -> None:
    """Serves a stream, and exchanges as many messages as each line of stdin says."""
    streams: asyncio.Queue[Any] = asyncio.Queue()
    over = asyncio.Event()

    async def play(_: object, stream: Any) -> None:
        streams.put_nowait(stream)
        await over.wait()

    handler: Any = grpc.stream_stream_rpc_method_handler(play)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bare", {"Play": handler}),)
    )
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/socket"
        server.add_insecure_port(address)
        await server.start()
        with _process("grpc", address):
            stream = await streams.get()
            message = bytes(DECISION_BYTES)
            while line := await asyncio.to_thread(sys.stdin.readline):
                for _ in range(int(line)):
                    await stream.write(message)
                    await stream.read()
                print(line, end="", flush=True)
            over.set()
            await server.stop(grace=None)


async def _answer_grpc(address: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream("/bare/Play")()
        message = bytes(ANSWER_BYTES)
        while await call.read() is not grpc.aio.EOF:
            await call.write(message)


# Protobuf over asyncio: many conversations, everything due goes into one frame -----------------


@asynccontextmanager
async def protobuf_conversations(conversations: int) -> AsyncIterator[Exchange]:
    """Length-prefixed frames of the arena's protocol over a Unix socket."""
    streams: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await streams.put((reader, writer))

    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/socket"
        async with await asyncio.start_unix_server(connected, address):
            with _process("protobuf", address):
                reader, writer = await streams.get()

                async def exchange(messages: int) -> int:
                    done = 0
                    due = [_decision(f"{i}", 1) for i in range(conversations)]
                    while done < messages:
                        _write_frame(writer, ArenaFrame(decisions=due))
                        frame = BotFrame.FromString(await _read_frame(reader))
                        due = [_decision(a.match_id, a.number + 1) for a in frame.answers]
                        done += len(due)
                    return done

                yield exchange
                writer.close()


def _decision(match_id: str, number: int) -> Decision:
    decision = Decision()
    decision.CopyFrom(DECISION)
    decision.match_id = match_id
    decision.number = number
    return decision


async def _answer_protobuf(address: str) -> None:
    reader, writer = await asyncio.open_unix_connection(address)
    while not reader.at_eof():
        frame = ArenaFrame.FromString(await _read_frame(reader))
        answers = [Answer(match_id=d.match_id, number=d.number, index=0) for d in frame.decisions]
        _write_frame(writer, BotFrame(answers=answers))


async def _read_frame(reader: asyncio.StreamReader) -> bytes:
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES))
    return await reader.readexactly(length)


def _write_frame(writer: asyncio.StreamWriter, frame: ArenaFrame | BotFrame) -> None:
    raw = frame.SerializeToString()
    writer.write(len(raw).to_bytes(LENGTH_BYTES) + raw)


# The other process -----------------------------------------------------------------------------


@contextmanager
def _process(transport: str, address: str) -> Iterator[None]:
    """Runs the process that answers for as long as the context lasts."""
    argv = [sys.executable, "-m", "bench.peers", transport, address]
    with subprocess.Popen(argv) as process:
        try:
            yield
        finally:
            process.terminate()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["grpc-pair"]:
            asyncio.run(_ask_grpc())
        case ["grpc", address]:
            asyncio.run(_answer_grpc(address))
        case ["protobuf", address]:
            asyncio.run(_answer_protobuf(address))
