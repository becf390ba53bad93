"""Limits on pairing remote bots: only connected ones are paired, and no more often than they
accept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from sqlalchemy.orm import Session

from arena.queue import Job
from arena.store.queries import all_queued_jobs
from arena.store.remote_bots import remote_names

Room: TypeAlias = Callable[[str, str], int]
"""`(bot, game)` → how many matches of the game the remote bot plays at once; 0 while away."""


def nobody_is_there(bot: str, game: str) -> int:
    """Returns 0: where no server accepts remote bots, none has room."""
    return 0


class RemotePlaces:
    """The number of further jobs of a game that each remote bot can take."""

    def __init__(self, session: Session, game: str, room: Room) -> None:
        self._remote = remote_names(session)
        self._room = room
        self._game = game
        self._busy: Counter[str] = Counter()
        if self._remote:
            for row in all_queued_jobs(session):
                self._busy.update({entrant["bot"] for entrant in json.loads(row.body)["entrants"]})

    def is_remote(self, bot: str) -> bool:
        """Returns whether the bot dials in."""
        return bot in self._remote

    def has_place(self, bot: str) -> bool:
        """Returns whether the bot can take one more job; bots that are not remote always can."""
        return bot not in self._remote or self._busy[bot] < self._room(bot, self._game)

    def count(self, job: Job) -> None:
        """Counts a new job."""
        self._busy.update({entrant.bot for entrant in job.entrants})
