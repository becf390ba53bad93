"""Remote bots on a ladder: paired only while connected, and no more often than they can play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
import sqlalchemy as sa

from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import enter
from arena.queue.job import Job
from arena.store import schema
from arena.store.remote_bots import add_remote_version, renew_token
from arena.store.schema import JobState, Ladder
from arena.store.session import Store

NewLadder = Callable[..., Ladder]
MakeJobs = Callable[[dict[str, int], int], list[Job]]


@pytest.fixture
def make(store: Store, new_ladder: NewLadder, rng: Random) -> MakeJobs:
    """Creates jobs of a ladder with five bots that have files, and the remote bots far and away,
    until
    `keep` are queued. `rooms`: how many matches each remote bot plays at once, by name."""
    ladder = new_ladder()
    with store.writing() as session:
        for bot, owner in (("far", "Zoe"), ("away", "Yan")):
            enter(session, ladder, add_remote_version(session, bot, owner).digest)
            renew_token(session, bot)
        book = LadderJobs(session, ladder, rng)

    def made(rooms: dict[str, int], keep: int) -> list[Job]:
        def room(bot: str, game: str) -> int:
            assert game == "xeri"
            return rooms.get(bot, 0)

        with store.writing() as session:
            return book.make(session, keep, room)

    return made


def bots(jobs: list[Job]) -> Counter[str]:
    return Counter(entrant.bot for job in jobs for entrant in job.entrants)


def test_who_is_away_is_not_paired(make: MakeJobs) -> None:
    jobs = make({}, 20)
    assert len(jobs) == 20
    assert {"far", "away"}.isdisjoint(bots(jobs))
    assert not any(entrant.remote for job in jobs for entrant in job.entrants)


def test_a_remote_bot_has_no_more_jobs_than_it_plays_at_once(store: Store, make: MakeJobs) -> None:
    first = make({"far": 2}, 20)
    assert bots(first)["far"] == 2
    assert {entrant.bot for job in first for entrant in job.entrants if entrant.remote} == {"far"}
    assert bots(make({"far": 2}, 25))["far"] == 0
    with store.writing() as session:
        recorded = sa.update(schema.Job).values(state=JobState.RECORDED)
        session.execute(recorded.where(schema.Job.body.contains('"far"')))
    assert bots(make({"far": 1}, 30))["far"] == 1


def test_a_ladder_of_remote_bots_waits_until_they_are_there(store: Store, make: MakeJobs) -> None:
    with store.writing() as session:
        local = sa.select(schema.Version.digest).where(schema.Version.bot.not_in(("far", "away")))
        withdrawn = sa.update(schema.Entry).values(state=schema.EntryState.WITHDRAWN)
        session.execute(withdrawn.where(schema.Entry.version.in_(local)))
    assert make({"far": 1}, 5) == []
    assert [bots([job]) for job in make({"far": 1, "away": 3}, 5)] == [{"far": 1, "away": 1}]
