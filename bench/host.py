"""The match host: decisions through real bot processes, with rules, clocks and record on.

The measure is CPU time, the arena's and the bots' together: it depends less than a rate on the
machine's other work, and its ratio to a yardstick measured in the same run holds on any machine.
The yardsticks are a bare `grpc.aio` ping-pong and protobuf over asyncio, with messages of the same
sizes. No process starts during a measurement.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.table import Table

from arena.bots import Host, Isolation, find_bot
from arena.match import Crew, Entrant, Series, play_series
from bench.peers import Exchange, grpc_ping_pong, protobuf_conversations
from bench.side_by_side import Figure, measured, verdict
from sevens_games import load

GAME = "xeri"  # five hands; all matches are equally long
ASKED_A_MATCH = 200  # of 240 decisions: the last card of six has no alternative
BOT = Path(__file__).parent.parent / "sample_bots" / "first_bot"
MANY = 64
ALONE, ALL = "host, 1 match", f"host, {MANY} matches"
GRPC, PROTOBUF = "grpc.aio ping-pong", "protobuf over asyncio"
EXCHANGES_ALONE, EXCHANGES = 400, 5_000


@dataclass(frozen=True)
class Target:
    """The most CPU time that a decision may take, as a multiple of the yardstick's."""

    what: str
    yardstick: str
    most: float


TARGETS = (Target(ALONE, GRPC, 2.0), Target(ALL, PROTOBUF, 4.0))


def tables() -> list[Table]:
    """Returns the CPU time of the host, with one match and with many, and of the yardsticks, and
    the ratios."""
    figures = _figures()
    return [_cpu_table(figures), _ratio_table(figures)]


def _cpu_table(figures: dict[str, Figure]) -> Table:
    table = Table("", "rate", "arena", "bots", "together", title="CPU ms for 1,000 decisions")
    for name, figure in figures.items():
        sides = (figure.own_cpu, figure.children_cpu) if name in (ALONE, ALL) else ()
        shown = [f"{milliseconds:.1f}" for milliseconds in sides] or ["", ""]
        table.add_row(name, str(figure), *shown, f"{figure.cpu:.1f}")
    return table


def _ratio_table(figures: dict[str, Figure]) -> Table:
    table = Table("", "yardstick", "ratio", "at most", "", title="ratios of CPU time")
    for target in TARGETS:
        ratio = figures[target.what].cpu / figures[target.yardstick].cpu
        judged = verdict(ratio <= target.most)
        table.add_row(target.what, target.yardstick, f"{ratio:.2f}", f"{target.most:g}", judged)
    return table


def _figures() -> dict[str, Figure]:
    with asyncio.Runner() as runner:
        processes = AsyncExitStack()

        async def start() -> tuple[list[Entrant], Exchange, Exchange]:
            host = await processes.enter_async_context(Host(Isolation.NONE))
            return (
                await entrants_of(host, BOT),
                await processes.enter_async_context(grpc_ping_pong()),
                await processes.enter_async_context(protobuf_conversations(MANY)),
            )

        bots, grpc, protobuf = runner.run(start())
        try:
            return measured(
                {
                    ALONE: lambda: runner.run(play(bots, 2, at_once=1)),
                    GRPC: lambda: runner.run(grpc(EXCHANGES_ALONE)),
                    ALL: lambda: runner.run(play(bots, 2 * MANY, at_once=MANY)),
                    PROTOBUF: lambda: runner.run(protobuf(EXCHANGES)),
                }
            )
        finally:
            runner.run(processes.aclose())


async def entrants_of(host: Host, path: Path) -> list[Entrant]:
    """Starts a process for each seat, ready to play."""
    source = find_bot(str(path))
    entrants = []
    for seat in range(2):
        crew = Crew(partial(host.start, source, MANY))
        if await crew.takes() != MANY:
            raise RuntimeError(f"{source.name} does not take {MANY} matches at once.")
        entrants.append(Entrant(crew, f"{source.name} {seat}", source.version))
    return entrants


async def play(entrants: list[Entrant], matches: int, at_once: int) -> int:
    """Plays matches; returns the number of decisions that the bots received."""
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
