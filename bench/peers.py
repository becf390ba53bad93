"""What the host is measured against: bare ways to send messages to another process and back.

Each talks to a process of its own (`python -m bench.peers TRANSPORT ADDRESS`), which answers all it
is sent. The messages are a decision in the middle of Xeri and its answer, or as large as these.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Protocol

import grpc.aio

from arena.games import SeededDeals, load
from arena.protocol.frames import DecisionWriter, decision_in
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens.bot.v1.decision_pb2 import Answer, Decision

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
    """Sends so many messages and waits for their answers; returns how many that were."""

    async def __call__(self, messages: int) -> int: ...


# gRPC: one message there, one back -----------------------------------------------------------


@asynccontextmanager
async def grpc_ping_pong() -> AsyncIterator[Exchange]:
    """A bare stream of `grpc.aio`, bytes in and out, with one message on its way at a time."""
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

            async def exchange(messages: int) -> int:
                for _ in range(messages):
                    await stream.write(message)
                    await stream.read()
                return messages

            yield exchange
            over.set()
            await server.stop(grace=None)


async def _answer_grpc(address: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream("/bare/Play")()
        message = bytes(ANSWER_BYTES)
        while await call.read() is not grpc.aio.EOF:
            await call.write(message)


# Protobuf over asyncio: many conversations, whatever is due goes into one frame -----------------


@asynccontextmanager
async def protobuf_conversations(conversations: int) -> AsyncIterator[Exchange]:
    """Frames of the arena's protocol with their length before them, over a Unix socket."""
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


# Lines over pipes, as chess engines are spoken to ----------------------------------------------


@asynccontextmanager
async def lines_over_pipes() -> AsyncIterator[Exchange]:
    """One line there, one back, through the standard input and output of a process of asyncio's."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*_command("lines"), stdin=pipe, stdout=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    to, back = process.stdin, process.stdout
    line = b"x" * (DECISION_BYTES - 1) + b"\n"

    async def exchange(messages: int) -> int:
        for _ in range(messages):
            to.write(line)
            await back.readline()
        return messages

    yield exchange
    to.close()
    await process.wait()


@contextmanager
def lines_read_blocking() -> Iterator[Callable[[int], int]]:
    """The same, but this process does nothing else while it waits for the line."""
    pipe = subprocess.PIPE
    with subprocess.Popen(_command("lines"), stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, back = process.stdin, process.stdout
        line = b"x" * (DECISION_BYTES - 1) + b"\n"

        def exchange(messages: int) -> int:
            for _ in range(messages):
                to.write(line)
                to.flush()
                back.readline()
            return messages

        yield exchange


def _answer_lines() -> None:
    answer = "x" * (ANSWER_BYTES - 1)
    for _ in sys.stdin:
        print(answer, flush=True)


# The other process -----------------------------------------------------------------------------


@contextmanager
def _process(*words: str) -> Iterator[None]:
    """The process that answers, as long as the context lasts."""
    with subprocess.Popen(_command(*words)) as process:
        try:
            yield
        finally:
            process.terminate()


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "bench.peers", *words]


def _answer(transport: str, address: str = "") -> None:
    if transport == "grpc":
        asyncio.run(_answer_grpc(address))
    elif transport == "protobuf":
        asyncio.run(_answer_protobuf(address))
    else:
        _answer_lines()


if __name__ == "__main__":
    _answer(*sys.argv[1:])
