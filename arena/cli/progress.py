"""Plays competitions on this machine and shows their progress on stderr."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from rich.highlighter import NullHighlighter
from rich.logging import RichHandler
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from arena.cli.log_format import log_to
from arena.cli.options import say_who_works
from arena.cli.output import stderr
from arena.hosting import Plan, host
from arena.store.data_folder import DataFolder
from arena.store.session import Store

LINE_EVERY_S = 10.0


def play_here(folder: DataFolder, plan: Plan, look: Callable[[Store], None]) -> None:
    """Hosts competitions as planned. `look`: shows their progress, again and again."""
    # Logs through the console of the progress, which other lines would break up.
    above = RichHandler(
        console=stderr, show_time=False, show_path=False, highlighter=NullHighlighter()
    )
    log_to(above, logging.WARNING, "%(message)s")
    say_who_works(plan.workers, folder.path)
    host(folder, plan, look)


class RareLines:
    """Lines that stand in for the progress where no terminal shows it, one every LINE_EVERY_S."""

    def __init__(self) -> None:
        self._next_at = time.monotonic() + LINE_EVERY_S

    def say(self, line: str) -> None:
        """Prints the line if one is due."""
        if not stderr.is_terminal and time.monotonic() >= self._next_at:
            self._next_at += LINE_EVERY_S
            stderr.say(line)


class Bars(Progress):
    """Bars for what has been played. `unit`: what they count."""

    def __init__(self, unit: str) -> None:
        super().__init__(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(unit),
            TimeElapsedColumn(),
            console=stderr,
            disable=not stderr.is_terminal,
        )
        self.lines = RareLines()
