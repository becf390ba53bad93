"""Shows the progress of a comparison until its verdict."""

from __future__ import annotations

import time

from rich.console import Group
from rich.live import Live
from rich.text import Text

from arena.cli.output import stderr, table
from arena.cli.progress import RareLines, play_here
from arena.client.arena import Arena
from arena.foreign_text import visible
from arena.hosting import Plan
from arena.operations.competitions.comparisons import read_comparison
from arena.store.data_folder import DataFolder
from arena.store.queries import comparison_named
from arena.store.schema import CompetitionState
from arena.store.session import Store
from arena.views.comparisons.comparison import Comparison, comparison_of
from arena.views.comparisons.figures import figures

ASK_EVERY_S = 2.0  # a server


def play(folder: DataFolder, name: str, plan: Plan) -> None:
    """Hosts the comparison until it is decided or stopped by a problem."""
    with _LiveFigures() as shown:
        play_here(folder, plan, lambda store: shown.show(_hosted(store, name)))


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
    """The figures so far."""

    def __init__(self) -> None:
        super().__init__(console=stderr, auto_refresh=False, transient=True)
        self._lines = RareLines()

    def show(self, comparison: Comparison) -> None:
        """Shows the progress of the comparison."""
        if stderr.is_terminal:
            rows = [(name, value, what) for name, (value, what) in figures(comparison).items()]
            heading = Text(visible(f"{comparison.comparison}: {comparison.sentence}"))
            self.update(Group(heading, table(("figure", "value", "meaning"), rows)), refresh=True)
        self._lines.say(_line(comparison))


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
