"""Plays a tournament on this machine, and shows its progress."""

from __future__ import annotations

import sqlalchemy as sa

from arena.cli.commands.tournament.show import print_standings
from arena.cli.output import stderr
from arena.cli.progress import Bars, play_here
from arena.client.arena import FolderArena
from arena.errors import Exit
from arena.hosting import Plan
from arena.operations.competitions.tournaments import read_tournament
from arena.store.data_folder import DataFolder
from arena.store.queries import tournament_named
from arena.store.schema import Job, JobState, TournamentGroup, TournamentRound
from arena.store.session import Store


def run_tournament(folder: DataFolder, name: str, plan: Plan) -> int:
    """Hosts the tournament until it is over or stopped by a problem; prints the standings."""
    with _RoundBar(name) as shown:
        play_here(folder, plan, shown.look)
    found = FolderArena(folder).ask(read_tournament, name)
    print_standings(found)
    if found.problem:
        stderr.say(found.problem)
        return Exit.ARENA_FAILED
    return Exit.DONE


class _RoundBar(Bars):
    """A bar for the current round."""

    def __init__(self, name: str) -> None:
        super().__init__("groups")
        self._name = name
        self._bar = self.add_task(name, total=None)

    def look(self, store: Store) -> None:
        """Shows the current round and the number of its finished groups."""
        played, of, number = _groups(store, self._name)
        text = f"{self._name}, round {number}" if number else self._name
        self.update(self._bar, description=text, completed=played, total=of or None)
        self.lines.say(f"{text}: {played} of {of} groups")


def _groups(store: Store, name: str) -> tuple[int, int, int]:
    """Returns the finished groups of the current round, all of them, and the round's number."""
    with store.reading() as session:
        tournament = tournament_named(session, name)
        current = session.scalars(
            sa.select(TournamentRound)
            .where(TournamentRound.tournament == name)
            .order_by(TournamentRound.number.desc())
            .limit(1)
        ).first()
        if current is None:
            return 0, 0, 0
        finished = sa.select(sa.func.count()).select_from(TournamentGroup)
        finished = finished.join(Job, Job.id == TournamentGroup.job).where(
            TournamentGroup.tournament == name,
            TournamentGroup.round == current.number,
            Job.state == JobState.RECORDED,
        )
        played = session.scalar(finished) or 0
        due = len(current.pairing["tables"]) * int(tournament.terms["groups"])
        return played, max(due, played), current.number
