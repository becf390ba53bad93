"""The jobs of one ladder: how many are due, and who plays in them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.games import load
from arena.league.competitions import contestant_of
from arena.league.jobs import new_job, row_of
from arena.league.ladder.field import Field
from arena.league.ladder.ladders import obstacle, playing_versions
from arena.league.ladder.pairing import next_versions
from arena.league.remote_capacity import RemotePlaces, Room, nobody_is_there
from arena.queue import Entrant, Job
from arena.ratings import Skill
from arena.store import Ladder, Partners, Rating, Version, queued_jobs, tables


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
        self.matches = 0
        self._rng = rng
        teams = load(ladder.game).teams(ladder.seats)
        self._field = Field(teams, own_partners=ladder.partners == Partners.SAME)
        self._entered: set[str] = set()
        for body in session.scalars(
            sa.select(tables.Job.body).where(tables.Job.competition == ladder.name)
        ):
            self._count(json.loads(body))

    def make(self, session: Session, keep: int, room: Room = nobody_is_there) -> list[Job]:
        """Returns new jobs, whose rows it has added, until `keep` are queued, the target number of
        matches is reached, or too few bots are free.

        `room`: how many matches remote bots can take.
        """
        ladder = session.get_one(Ladder, self.name)
        due = keep - queued_jobs(session, self.name)
        if due <= 0 or self._reached() or obstacle(session, ladder):
            return []
        versions = {version.digest: version for version in playing_versions(session, ladder)}
        self._update_field(session, versions)
        places = RemotePlaces(session, ladder.game, room)
        made: list[Job] = []
        while len(made) < due and not self._reached():
            job = self._next(ladder, versions, places)
            if job is None:
                break
            made.append(job)
        session.add_all(map(row_of, made))
        return made

    def versions(self, session: Session) -> set[str]:
        """Returns the digests of the versions that may be paired."""
        ladder = session.get_one(Ladder, self.name)
        return {version.digest for version in playing_versions(session, ladder)}

    def over(self, session: Session) -> bool:
        """Returns whether the ladder has its matches, or cannot continue."""
        return self._reached() or obstacle(session, session.get_one(Ladder, self.name)) is not None

    def _reached(self) -> bool:
        return self.target is not None and self.matches >= self.target

    def _update_field(self, session: Session, versions: dict[str, Version]) -> None:
        """Lets the field know who plays, and how good they are."""
        for version, owner in contestant_of(session, versions.values()).items():
            self._field.enter(version, owner)
        for version in self._entered - versions.keys():
            self._field.leave(version)
        self._entered = set(versions)
        for rating in session.scalars(sa.select(Rating).where(Rating.ladder == self.name)):
            self._field.rate(rating.version, Skill(rating.mu, rating.sigma))

    def _next(
        self, ladder: Ladder, versions: dict[str, Version], places: RemotePlaces
    ) -> Job | None:
        busy = {digest for digest, one in versions.items() if not places.has_place(one.bot)}
        seated = next_versions(self._field, busy=busy, rng=self._rng)
        if seated is None:
            return None
        entrants = [_entrant(versions[digest], places) for digest in seated]
        job = new_job(ladder, entrants)
        self._count(job.model_dump())
        places.count(job)
        return job

    def _count(self, body: dict[str, Any]) -> None:
        self._field.count([entrant["version"] for entrant in body["entrants"]])
        self.matches += len(body["seatings"])


def _entrant(version: Version, places: RemotePlaces) -> Entrant:
    remote = places.is_remote(version.bot)
    return Entrant(bot=version.bot, version=version.digest, remote=remote)
