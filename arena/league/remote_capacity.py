"""Remote bots in the making of jobs: only those that are there are paired, and not too often."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.queue.job import Job
from arena.store import tables
from arena.store.remotes import remote_names
from arena.store.tables import JobState

Room: TypeAlias = Callable[[str, str], int]
"""How many matches of a game (second) a remote bot (first) takes at once; 0 while it is away."""


def nobody_is_there(bot: str, game: str) -> int:
    """The room of remote bots where no server takes them."""
    return 0


class RemotePlaces:
    """How many more jobs of a game each remote bot can have."""

    def __init__(self, session: Session, game: str, room: Room) -> None:
        self._remote = remote_names(session)
        self._room = room
        self._game = game
        self._busy: Counter[str] = Counter()
        if self._remote:
            queued = sa.select(tables.Job.body).where(tables.Job.state == JobState.QUEUED)
            for body in session.scalars(queued):
                self._busy.update({entrant["bot"] for entrant in json.loads(body)["entrants"]})

    def is_remote(self, bot: str) -> bool:
        """Whether the bot is one that dials in."""
        return bot in self._remote

    def has_place(self, bot: str) -> bool:
        """Whether the bot can have one more job; others than remote ones always can."""
        return bot not in self._remote or self._busy[bot] < self._room(bot, self._game)

    def count(self, job: Job) -> None:
        """Counts a new job."""
        self._busy.update({entrant.bot for entrant in job.entrants})
