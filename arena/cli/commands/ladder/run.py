"""Runs ladders until they have their matches, and shows the progress."""

from __future__ import annotations

from arena.cli.commands.ratings.ratings_report import print_ratings
from arena.cli.output import stdout
from arena.cli.progress import Bars, play_here
from arena.client.arena import FolderArena
from arena.hosting import Plan
from arena.operations.competitions.ladders import read_ladder
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.views.matches.match import match_counts


def run_ladders(folder: DataFolder, plan: Plan) -> None:
    """Hosts the ladders, shows their progress and, at the end, their ratings."""
    with _LadderBars(plan) as shown:
        play_here(folder, plan, shown.look)
    for name in plan.only or ():
        print_ratings(FolderArena(folder).ask(read_ladder, name))
        stdout.print()


class _LadderBars(Bars):
    """A bar for each ladder."""

    def __init__(self, plan: Plan) -> None:
        super().__init__("matches")
        self._target = plan.matches
        self._bars = {name: self.add_task(name, total=None) for name in plan.only or ()}

    def look(self, store: Store) -> None:
        """Shows the current number of matches."""
        with store.reading() as session:
            counts = match_counts(session)
        played = {name: counts.get(name, 0) for name in self._bars}
        for name, count in played.items():
            # A ladder with more matches than requested is done.
            total = self._target and max(count, self._target)
            self.update(self._bars[name], completed=count, total=total)
        of = "" if self._target is None else f" of {self._target}"
        self.lines.say(", ".join(f"{name}: {count}{of}" for name, count in played.items()))
