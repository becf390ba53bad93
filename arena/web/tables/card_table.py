"""A table as the store has it: its seats, and its match once that is over."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league import job_of
from arena.store.people import jobs_ahead, match_of, table_with_key, trouble_of
from arena.store.schema import CompetitionState
from arena.views.matches.match import Match, match_named
from sevens_games import load
from sevens_games.engine import GameOf


@dataclass(frozen=True)
class CardTable:
    """A table.

    `seat`: the person's.
    `bots`: by seat, the name in the record.
    `repeats`: the id of the match that is repeated, and the number of its choices that are kept.
    `ahead`: the number of jobs that are to be played before it is; None if it has no job yet.
    `match`: once it is recorded.
    `trouble`: why the match was given up, a sentence; mostly empty.
    """

    name: str
    game: GameOf
    seat: int
    bots: tuple[str, ...]
    teams: tuple[int, ...]
    repeats: str
    choices: int
    running: bool
    ahead: int | None
    match: Match | None
    trouble: str

    @property
    def partners(self) -> tuple[int, ...]:
        """The seats on the person's side, without the person."""
        own = self.teams[self.seat]
        return tuple(s for s, team in enumerate(self.teams) if team == own and s != self.seat)


def card_table(session: Session, key: str) -> CardTable:
    """Returns the table of the seat with that key. Raises ArenaError."""
    table = table_with_key(session, key)
    if table is None:
        raise ArenaError(
            Kind.NOT_FOUND,
            "There is no such table. Only the person who sat down at it has its address.",
        )
    job = job_of(table.job)
    game = load(table.game)
    match = match_of(session, table)
    return CardTable(
        name=table.name,
        game=game,
        seat=table.seat,
        bots=tuple(job.entrants[place].bot for place in job.seatings[0]),
        teams=tuple(game.teams(table.seats)),
        repeats=table.repeats or "",
        choices=len(job.origin.choices) if job.origin else 0,
        running=table.state is CompetitionState.RUNNING,
        ahead=jobs_ahead(session, table),
        match=match_named(session, match) if match else None,
        trouble=trouble_of(session, table),
    )
