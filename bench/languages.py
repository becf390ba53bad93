"""The SDKs: decisions per second with a bot in each language, one match at a time and many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from rich.table import Table

from arena.bots import Host, Isolation
from arena.cli.commands.bot.languages import LANGUAGES
from arena.match import Entrant
from bench.host import MANY, entrants_of, play
from bench.side_by_side import Figure, measured
from tools.examples import built_examples

Bots = dict[str, list[Entrant]]


def tables() -> list[Table]:
    """Returns a row for each language: its random bot against itself at Xeri."""
    examples = built_examples()
    figures = _figures({name: folders[0] for name, folders in examples.folders.items()})
    title = "decisions, by the language of the bot"
    table = Table(
        "language", "1 match", f"{MANY} matches", title=title, caption=" ".join(examples.left_out())
    )
    for name in examples.folders:
        rates = [str(figures[_sort(name, at_once)]) for at_once in (1, MANY)]
        table.add_row(LANGUAGES[name].title, *rates)
    return [table]


def _sort(name: str, at_once: int) -> str:
    return f"{name}, {at_once}"


def _figures(folders: dict[str, Path]) -> dict[str, Figure]:
    with asyncio.Runner() as runner:
        processes = AsyncExitStack()

        async def start() -> Bots:
            host = await processes.enter_async_context(Host(Isolation.NONE))
            return {name: await entrants_of(host, folder) for name, folder in folders.items()}

        bots = runner.run(start())

        def work(name: str, at_once: int) -> Callable[[], int]:
            matches = 8 if at_once == 1 else 2 * at_once
            return lambda: runner.run(play(bots[name], matches, at_once=at_once))

        try:
            return measured({_sort(name, n): work(name, n) for name in bots for n in (1, MANY)})
        finally:
            runner.run(processes.aclose())
