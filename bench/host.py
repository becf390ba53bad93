"""The match host: decisions through real bot processes, with rules, clocks and record on.

Against it: a bare `grpc.aio` ping-pong, asyncio with length-prefixed protobuf over a Unix socket,
and lines over pipes as chess engines are spoken to, each with messages of the same sizes; and the
host itself when each frame holds one message only.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import struct
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import grpc.aio

from arena.bots.launch import Isolation
from arena.bots.opening import open_bot
from arena.bots.outbox import Outbox
from arena.bots.source import find_bot
from arena.cli.series import Entrant, Series, play_series
from arena.games import load
from bench.side_by_side import Ratio, measured

BOT = Path(__file__).parent.parent / "sample_bots" / "first_bot"
GAME = "xeri"
REQUEST, REPLY = b"q" * 700, b"a" * 50  # what a decision of Xeri and its answer take
MANY = 64
EXCHANGES = 500
ALONE_TARGET, COALESCED_TARGET, RAW_TARGET, PIPE_TARGET = 0.8, 5.0, 0.4, 1.0


def ratios() -> list[Ratio]:
    """The host alone and with 64 matches at once, beside what it is measured against."""
    figures = measured(
        {
            "host, 1 match": lambda: _host(1),
            f"host, {MANY} matches": lambda: _host(MANY),
            "grpc.aio ping-pong": lambda: asyncio.run(_grpc_ping_pong()),
            f"host, {MANY} matches, a message a frame": _host_without_coalescing,
            f"protobuf over asyncio, {MANY}": lambda: asyncio.run(_raw(MANY)),
            "lines over pipes": _pipes,
        }
    )
    one, many = figures["host, 1 match"], figures[f"host, {MANY} matches"]
    return [
        Ratio("1 match", one, figures["grpc.aio ping-pong"], ALONE_TARGET),
        Ratio(
            f"{MANY} matches",
            many,
            figures[f"host, {MANY} matches, a message a frame"],
            COALESCED_TARGET,
        ),
        Ratio(f"{MANY} matches", many, figures[f"protobuf over asyncio, {MANY}"], RAW_TARGET),
        Ratio(f"{MANY} matches", many, figures["lines over pipes"], PIPE_TARGET),
    ]


def _host(at_once: int) -> int:
    """Plays `at_once` matches between two processes; returns the decisions that bots made."""

    async def play() -> int:
        async with AsyncExitStack() as running:
            source = find_bot(str(BOT))
            opened = [
                await running.enter_async_context(
                    open_bot(source, Isolation.NONE, matches_at_once=MANY)
                )
                for _ in range(2)
            ]
            series = Series(
                game=load(GAME),
                options={},
                entrants=[Entrant(bot, "first", source.version) for bot in opened],
                seatings=((0, 1),),
                count=at_once,
                seed=secrets.token_hex(4),
                bank_ms=600_000,
                increment_ms=0,
                at_once=MANY,
            )
            return sum([_asked(played.record) async for played in play_series(series)])

    return asyncio.run(play())


def _asked(record: MatchRecord) -> int:
    """The decisions that were sent to bots: in Xeri, every sixth card of a hand is forced."""
    return len(record.choices) * 5 // 6


def _host_without_coalescing() -> int:
    """The same, but no message joins another in a frame."""
    joined = Outbox._batch_for
    Outbox._batch_for = Outbox.batch_of_its_own  # type: ignore[method-assign]
    try:
        return _host(MANY)
    finally:
        Outbox._batch_for = joined  # type: ignore[method-assign]


async def _grpc_ping_pong() -> int:
    """One message there, one back, over a Unix socket between two processes."""
    done = asyncio.Event()

    async def play(stream: AsyncIterator[bytes], context: grpc.aio.ServicerContext) -> None:
        for _ in range(EXCHANGES):
            await context.write(REQUEST)
            await context.read()
        done.set()

    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bare", {"Play": handler}),))
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/s"
        server.add_insecure_port(address)
        await server.start()
        with subprocess.Popen([sys.executable, "-m", "bench.peers", "grpc", address]):
            await done.wait()
            await server.stop(None)
    return EXCHANGES
