"""The jobs of one ladder: how many are due, and who plays in them."""

from __future__ import annotations

from random import Random

from sqlalchemy.orm import Session

from arena.league.competitions import seatings_of
from arena.league.job_rows import new_job, row_of
from arena.league.ladder.counts import read_counts, write_counts
from arena.league.ladder.field import Field
from arena.league.ladder.ladders import halted
from arena.league.ladder.pairing import next_versions
from arena.league.ladder.roster import Roster
from arena.league.remote_capacity import RemotePlaces, Room, nobody_is_there
from arena.league.seasons import close_ladder, is_over
from arena.queue import Entrant, Job
from arena.store.queries import queued_jobs
from arena.store.schema import Ladder, Partners
from arena.store.session import insert_rows
from sevens_games import load


class LadderJobs:
    """Creates a ladder's jobs. Nothing else does, so it reads the counts once and then keeps them
    itself.

    `target`: the ladder is over once it has this many matches; None: never.
    `matches`: the matches of all jobs so far, whatever became of them.
    """

    def __init__(
        self, session: Session, ladder: Ladder, rng: Random, target: int | None = None
    ) -> None:
        self.name = ladder.name
        self.target = target
        self._rng = rng
        teams = load(ladder.game).teams(ladder.seats)
        self._field = Field(teams, own_partners=ladder.partners == Partners.SAME)
        self._roster = Roster(ladder.name, self._field)
        jobs = read_counts(session, ladder.name, self._field)
        self.matches = jobs * len(seatings_of(ladder))

    def make(self, session: Session, keep: int, room: Room = nobody_is_there) -> list[Job]:
        """Returns new jobs, whose rows it has added, until `keep` are queued, the target number of
        matches is reached, or too few bots are free.

        `room`: how many matches remote bots can take.
        """
        ladder = session.get_one(Ladder, self.name)
        if is_over(ladder):
            close_ladder(session, ladder)
        due = keep - queued_jobs(session, self.name)
        if due <= 0 or self._reached() or halted(ladder):
            return []
        self._roster.refresh(session)
        made = self._jobs(ladder, due, RemotePlaces(session, ladder.game, room))
        if made:
            insert_rows(session, [row_of(job) for job in made])
            seated = [[entrant.version for entrant in job.entrants] for job in made]
            write_counts(session, self.name, self._field, seated)
        return made

    def versions(self, session: Session) -> set[str]:
        """Returns the digests of the versions that may be paired."""
        self._roster.refresh(session)
        return set(self._roster.bots)

    def over(self, session: Session) -> bool:
        """Returns whether the ladder has its matches, or cannot continue."""
        self._roster.refresh(session)
        too_few = self._roster.at_a_table < len(self._field.places)
        return self._reached() or too_few or halted(session.get_one(Ladder, self.name)) is not None

    def _reached(self) -> bool:
        return self.target is not None and self.matches >= self.target

    def _jobs(self, ladder: Ladder, due: int, places: RemotePlaces) -> list[Job]:
        made: list[Job] = []
        while len(made) < due and not self._reached():
            remote = self._roster.remote.items()
            busy = {version for version, bot in remote if not places.has_place(bot)}
            versions = next_versions(self._field, busy=busy, rng=self._rng)
            if versions is None:
                break
            job = new_job(ladder, [self._entrant(version) for version in versions])
            self._field.count(versions)
            self.matches += len(job.seatings)
            places.count(job)
            made.append(job)
        return made

    def _entrant(self, version: str) -> Entrant:
        remote = version in self._roster.remote
        return Entrant(bot=self._roster.bots[version], version=version, remote=remote)
