"""A contestant asks a server why their bot is rated as it is."""

from __future__ import annotations

from random import Random

import pytest

from arena.league.ladder.fit import Fits
from arena.league.ladder.jobs import LadderJobs
from arena.league.ladder.ladders import enter
from arena.league.recorder import Recorded, Recorder
from arena.store.queries import ladder_named
from arena.store.schema import Role
from arena.store.versions import add_version
from sevens.league.v1.ladder_pb2 import (
    ExplainRatingRequest,
    ReadHistoryRequest,
    ReadLadderRequest,
)
from tests.support.job_outcomes import outcome_of
from tests.support.served import Serve, Served
from tests.support.stored_matches import BOTS

JOBS = 6


def play(server: Served, rng: Random) -> None:
    """Ann's bot and Bob's play on the ladder main, and all is rated."""
    with server.store.writing() as session:
        ladder = ladder_named(session, "main")
        for digit, (bot, owner) in zip("ab", BOTS.items(), strict=True):
            version = digit * 64
            add_version(session, bot=bot, owner=owner, version=version, manifest={})
            enter(session, ladder, version)
        session.flush()
        jobs = LadderJobs(session, ladder, rng).make(session, JOBS)
    for job in jobs:
        assert Recorder(server.store).record(outcome_of(job, rng)) == Recorded()


@pytest.mark.parametrize("role", [Role.READER, Role.OWNER, Role.ORGANISER])
async def test_everybody_may_know_why_a_bot_is_rated_so(
    serve: Serve, seed: int, role: Role
) -> None:
    async with serve() as server:
        play(server, Random(seed))
        person = server.person("Cat", role)
        history = await person.call("ReadHistory", ReadHistoryRequest(ladder="main", bot="ann-bot"))
        found = await person.call(
            "ExplainRating", ExplainRatingRequest(ladder="main", bot="ann-bot", limit=JOBS - 1)
        )
    assert (found.number, found.rated_jobs) == (1, JOBS)
    assert [job.change for job in found.jobs] == list(history.changes)[: JOBS - 1]
    assert found.rating == history.changes[0].rating
    [bob] = found.opponents
    assert (bob.bot, bob.jobs, bob.matches) == ("bob-bot", JOBS, JOBS)
    won = [job.actual for job in found.jobs]
    assert won == [meeting.points for job in found.jobs for meeting in job.meetings]
    for job in found.jobs:
        [meeting] = job.meetings
        assert meeting.win + meeting.tie + meeting.loss == pytest.approx(1)
        assert job.expected == pytest.approx(meeting.win + meeting.tie / 2)
        assert meeting.rating == pytest.approx(meeting.mu - 3 * meeting.sigma)


async def test_the_fit_is_served_with_the_standings(serve: Serve, seed: int) -> None:
    async with serve() as server:
        play(server, Random(seed))
        ann = server.person("Ann")
        before = await ann.call("ReadLadder", ReadLadderRequest(ladder="main"))
        assert (before.rated_jobs, before.fitted_jobs) == (JOBS, 0)
        assert not any(standing.HasField("fit") for standing in before.standings)
        await Fits(server.store).renew()
        after = await ann.call("ReadLadder", ReadLadderRequest(ladder="main"))
    assert (after.rated_jobs, after.fitted_jobs) == (JOBS, JOBS)
    for standing in after.standings:
        fit = standing.fit
        assert fit.rating == pytest.approx(fit.mu - 3 * fit.sigma)
    assert sum(standing.fit.mu for standing in after.standings) == pytest.approx(50)
