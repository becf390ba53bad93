"""Runs ladders until they have their matches, and shows the progress."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping

from rich.highlighter import NullHighlighter
from rich.logging import RichHandler
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from arena.cli.commands.ratings.ratings_report import print_ratings
from arena.cli.log_format import log_to
from arena.cli.options import say_who_works
from arena.cli.output import stderr, stdout
from arena.client.arena import FolderArena
from arena.hosting import Plan, host
from arena.operations.competitions.ladders import read_ladder
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.views.matches.match import match_counts

COLUMNS = (
    TextColumn("{task.description}", markup=False),
    BarColumn(),
    MofNCompleteColumn(),
    TextColumn("matches"),
    TimeElapsedColumn(),
)
LINE_EVERY_S = 10.0  # where no terminal shows the bars


def run_ladders(folder: DataFolder, plan: Plan) -> None:
    """Hosts the ladders, shows their progress and, at the end, their ratings."""
    # Logs through the console of the progress bars, which other lines would break up.
    above = RichHandler(
        console=stderr, show_time=False, show_path=False, highlighter=NullHighlighter()
    )
    log_to(above, logging.WARNING, "%(message)s")
    say_who_works(plan.workers, folder.path)
    with _LadderProgress(plan) as shown:
        host(folder, plan, shown.look)
    for name in plan.only or ():
        print_ratings(FolderArena(folder).ask(read_ladder, name))
        stdout.print()


class _LadderProgress(Progress):
    """A bar for each ladder; without a terminal, a line every LINE_EVERY_S."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(*COLUMNS, console=stderr, disable=not stderr.is_terminal)
        self._target = plan.matches
        self._bars = {name: self.add_task(name, total=None) for name in plan.only or ()}
        self._next_line_at = time.monotonic() + LINE_EVERY_S

    def look(self, store: Store) -> None:
        """Shows the current number of matches."""
        with store.reading() as session:
            counts = match_counts(session)
        played = {name: counts.get(name, 0) for name in self._bars}
        for name, count in played.items():
            # A ladder with more matches than requested is done.
            total = self._target and max(count, self._target)
            self.update(self._bars[name], completed=count, total=total)
        if not stderr.is_terminal and time.monotonic() >= self._next_line_at:
            self._next_line_at += LINE_EVERY_S
            stderr.print(_line(played, self._target))


def _line(played: Mapping[str, int], target: int | None) -> str:
    """Returns the number of matches of each ladder so far, as a line."""
    of = "" if target is None else f" of {target}"
    return ", ".join(f"{name}: {count}{of}" for name, count in played.items())
