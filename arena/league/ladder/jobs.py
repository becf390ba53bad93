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
from arena.league.ladder.history import History
from arena.league.ladder.ladders import obstacle, playing_versions
from arena.league.ladder.pairing import Candidate, next_versions
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
        self._history = History(load(ladder.game).teams(ladder.seats))
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
        candidates = _candidates(session, ladder, versions)
        places = RemotePlaces(session, ladder.game, room)
        made: list[Job] = []
        while len(made) < due and not self._reached():
            free = [one for one in candidates if places.has_place(versions[one.version].bot)]
            job = self._next(ladder, versions, free, places)
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

    def _next(
        self,
        ladder: Ladder,
        versions: dict[str, Version],
        candidates: list[Candidate],
        places: RemotePlaces,
    ) -> Job | None:
        own_partners = ladder.partners == Partners.SAME
        seated = next_versions(candidates, self._history, own_partners=own_partners, rng=self._rng)
        if seated is None:
            return None
        entrants = [_entrant(versions[digest], places) for digest in seated]
        job = new_job(ladder, entrants)
        self._count(job.model_dump())
        places.count(job)
        return job

    def _count(self, body: dict[str, Any]) -> None:
        self._history.add([entrant["version"] for entrant in body["entrants"]])
        self.matches += len(body["seatings"])


def _candidates(session: Session, ladder: Ladder, versions: dict[str, Version]) -> list[Candidate]:
    owners = contestant_of(session, versions.values())
    ratings = session.scalars(sa.select(Rating).where(Rating.ladder == ladder.name))
    skills = {rating.version: Skill(rating.mu, rating.sigma) for rating in ratings}
    return [Candidate(digest, owners[digest], skills.get(digest, Skill())) for digest in versions]


def _entrant(version: Version, places: RemotePlaces) -> Entrant:
    remote = places.is_remote(version.bot)
    return Entrant(bot=version.bot, version=version.digest, remote=remote)
