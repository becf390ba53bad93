"""Shows the progress of a comparison until its verdict."""

from __future__ import annotations

import logging
import time

from rich.console import Group
from rich.highlighter import NullHighlighter
from rich.live import Live
from rich.logging import RichHandler
from rich.text import Text

from arena.cli.log_format import log_to
from arena.cli.options import say_who_works
from arena.cli.output import stderr, table
from arena.client.arena import Arena
from arena.foreign_text import visible
from arena.hosting import Plan, host
from arena.operations.competitions.comparisons import read_comparison
from arena.store.data_folder import DataFolder
from arena.store.queries import comparison_named
from arena.store.schema import CompetitionState
from arena.store.session import Store
from arena.views.comparisons.comparison import Comparison, comparison_of
from arena.views.comparisons.figures import figures

LINE_EVERY_S = 10.0  # where no terminal shows the figures
ASK_EVERY_S = 2.0  # a server


def play(folder: DataFolder, name: str, plan: Plan) -> None:
    """Hosts the comparison until it is decided or stopped by a problem."""
    # Logs through the console of the live figures, which other lines would break up.
    above = RichHandler(
        console=stderr, show_time=False, show_path=False, highlighter=NullHighlighter()
    )
    log_to(above, logging.WARNING, "%(message)s")
    say_who_works(plan.workers, folder.path)
    with _LiveFigures() as shown:
        host(folder, plan, lambda store: shown.show(_hosted(store, name)))


def wait(arena: Arena, name: str) -> None:
    """Watches a comparison that another arena plays, until it is decided or stopped."""
    with _LiveFigures() as shown:
        while True:
            comparison = arena.ask(read_comparison, name)
            shown.show(comparison)
            if comparison.state is not CompetitionState.RUNNING:
                return
            time.sleep(ASK_EVERY_S)


class _LiveFigures(Live):
    """The figures so far; without a terminal, a line every LINE_EVERY_S."""

    def __init__(self) -> None:
        super().__init__(console=stderr, auto_refresh=False, transient=True)
        self._next_line_at = time.monotonic() + LINE_EVERY_S

    def show(self, comparison: Comparison) -> None:
        """Shows the progress of the comparison."""
        if stderr.is_terminal:
            rows = [(name, value, what) for name, (value, what) in figures(comparison).items()]
            heading = Text(visible(f"{comparison.comparison}: {comparison.sentence}"))
            self.update(Group(heading, table(("figure", "value", "meaning"), rows)), refresh=True)
        elif time.monotonic() >= self._next_line_at:
            self._next_line_at += LINE_EVERY_S
            stderr.say(visible(_line(comparison)))


def _line(comparison: Comparison) -> str:
    found, most = comparison.findings, comparison.plan.terms.most_groups
    return (
        f"{comparison.comparison}: {found.groups:,} of at most {most:,} groups,"
        f" ratio {found.ratio:+.2f} between {found.lower:+.2f} and {found.upper:+.2f},"
        f" difference {found.mean:+.4f}"
    )


def _hosted(store: Store, name: str) -> Comparison:
    """Returns a comparison that this process runs."""
    with store.reading() as session:
        return comparison_of(session, comparison_named(session, name), is_run=True)
