"""The match host: decisions through real bot processes, with rules, clocks and record on.

Against it: a bare `grpc.aio` ping-pong, protobuf over asyncio, and lines over pipes as chess
engines are spoken to, with messages of the same sizes; and the host itself when each message
travels in a frame of its own. No process starts while time is taken.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from rich.table import Table

from arena.bots.find import find_bot
from arena.bots.host import Host, Isolation
from arena.bots.stream.outbox import Outbox
from arena.games import load
from arena.match.series import Entrant, Series, play_series
from bench.peers import (
    Exchange,
    grpc_ping_pong,
    lines_over_pipes,
    lines_read_blocking,
    protobuf_conversations,
)
from bench.side_by_side import Figure, Ratio, measured, ratio_table

GAME = "xeri"  # five hands; all matches are equally long
ASKED_A_MATCH = 200  # of 240 decisions: the last card of six has no alternative
BOT = Path(__file__).parent.parent / "sample_bots" / "first_bot"
BOT_OF_LONE_ANSWERS = Path(__file__).parent / "lone_answers.py"
MANY = 64
ALONE, ALL = "host, 1 match", f"host, {MANY} matches"
LONE_FRAMES = "the same, a message a frame"
GRPC = "grpc.aio ping-pong"
LINES, BLOCKING_LINES = "pipes, asyncio", "pipes, blocking"
PROTOBUF = "protobuf over asyncio"
ALONE_TARGET, COALESCED_TARGET, PROTOBUF_TARGET, LINES_TARGET = 0.8, 5.0, 0.4, 1.0
EXCHANGES = 5_000


def tables() -> list[Table]:
    """The host alone and with 64 matches at once beside what it is measured against; and the CPU
    time of each."""
    figures = _figures()
    one, many = figures[ALONE], figures[ALL]
    ratios = [
        Ratio(ALONE, one, figures[GRPC], ALONE_TARGET),
        Ratio(ALL, many, figures[LONE_FRAMES], COALESCED_TARGET),
        Ratio(ALL, many, figures[PROTOBUF], PROTOBUF_TARGET),
        Ratio(ALL, many, figures[LINES], LINES_TARGET),
        Ratio(ALL, many, figures[BLOCKING_LINES], None),
    ]
    return [ratio_table("host", ratios), _cpu_table(list(figures.values()))]


def _figures() -> dict[str, Figure]:
    with asyncio.Runner() as runner, lines_read_blocking() as blocking_lines:
        processes = AsyncExitStack()

        async def start() -> tuple[list[Entrant], list[Entrant], list[Exchange]]:
            host = await processes.enter_async_context(Host(Isolation.NONE))
            return (
                await entrants_of(host, BOT),
                await entrants_of(host, BOT_OF_LONE_ANSWERS),
                [
                    await processes.enter_async_context(peer)
                    for peer in (grpc_ping_pong(), protobuf_conversations(MANY), lines_over_pipes())
                ],
            )

        bots, bots_of_lone_answers, (grpc, protobuf, lines) = runner.run(start())
        try:
            return measured(
                {
                    ALONE: lambda: runner.run(play(bots, 8, at_once=1)),
                    GRPC: lambda: runner.run(grpc(EXCHANGES)),
                    ALL: lambda: runner.run(play(bots, 2 * MANY, at_once=MANY)),
                    LONE_FRAMES: lambda: runner.run(_play_alone(bots_of_lone_answers)),
                    PROTOBUF: lambda: runner.run(protobuf(EXCHANGES)),
                    LINES: lambda: runner.run(lines(EXCHANGES)),
                    BLOCKING_LINES: lambda: blocking_lines(EXCHANGES),
                }
            )
        finally:
            runner.run(processes.aclose())


async def entrants_of(host: Host, path: Path) -> list[Entrant]:
    """A process for each seat, ready to play."""
    source = find_bot(str(path))
    entrants = []
    for seat in range(2):
        bot = await host.start(source, matches_at_once=MANY)
        if loss := await bot.ready():
            raise RuntimeError(loss.sentence)
        entrants.append(Entrant(bot, f"{source.name} {seat}", source.version))
    return entrants


async def play(entrants: list[Entrant], matches: int, at_once: int) -> int:
    """Plays matches; returns how many decisions the bots were asked for."""
    series = Series(
        game=load(GAME),
        options={},
        entrants=entrants,
        seatings=((0, 1),),
        count=matches,
        seed="bench",
        bank_ms=600_000,
        increment_ms=0,
        at_once=at_once,
    )
    async for played in play_series(series):
        assert not played.faults
    return matches * ASKED_A_MATCH


async def _play_alone(entrants: list[Entrant]) -> int:
    """The same 64 at once, but no message shares a frame."""
    Outbox.joining = False
    try:
        return await play(entrants, MANY, at_once=MANY)
    finally:
        Outbox.joining = True


def _cpu_table(figures: list[Figure]) -> Table:
    table = Table("ms of CPU for 1000 decisions", "this process", "the others", "together")
    for figure in figures:
        own, children = figure.own_cpu, figure.children_cpu
        table.add_row(figure.name, f"{own:.0f}", f"{children:.0f}", f"{own + children:.0f}")
    return table
