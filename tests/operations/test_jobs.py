"""Parked jobs: listed, played again and dropped, by operations and on their page."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.league.comparison import ComparisonJobs
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.recorder import Recorder
from arena.league.tournament import TournamentJobs
from arena.operations.competitions.ladders import read_ladder
from arena.operations.running.jobs import drop_jobs, read_queue, retry_jobs
from arena.operations.versions import retire_version
from arena.queue.job import Job
from arena.queue.signing_key import made_key
from arena.store import schema, tokens
from arena.store.schema import Comparison, CompetitionState, JobState, Ladder, Role, Tournament
from tests.support.asked import Asked, Asker
from tests.support.unplayed_jobs import CUP, DUEL, comparison_halves, swiss_round
from tests.support.visitor import Answer, Visitor

WHY = "Three machines failed on it."


@pytest.fixture
def organiser(arena: Asked) -> Asker:
    return arena.asker("Org", Role.ORGANISER)


def parked(arena: Asked, *jobs: Job) -> list[str]:
    for job in jobs:
        Recorder(arena.store).park(job.job_id, WHY, 3)
    return [job.job_id for job in jobs]


def ladder_jobs(arena: Asked, count: int) -> list[Job]:
    with arena.store.writing() as session:
        return LadderJobs(session, session.get_one(Ladder, "main"), Random(7)).make(session, count)


def states(arena: Asked) -> dict[str, JobState]:
    with arena.store.reading() as session:
        return dict(session.execute(sa.select(schema.Job.id, schema.Job.state)).all())


async def test_parked_jobs_of_ladders_are_played_again_or_dropped(
    arena: Asked, organiser: Asker
) -> None:
    ids = parked(arena, *ladder_jobs(arena, 3))
    found = await organiser.ask(read_queue)
    assert (found.queue, "does not answer" in found.trouble) == (None, True)
    first, second, third = [one.job for one in found.parked]  # made at one moment: in any order
    assert {first, second, third} == set(ids)
    one = found.parked[0]
    assert (one.competition, one.kind, one.attempts, one.reason) == ("main", "ladder", 3, WHY)
    assert sorted(one.bots) == ["ann-bot", "bob-bot"]
    assert (await organiser.ask(retry_jobs, first[:10])).jobs == (first,)
    assert (await organiser.ask(drop_jobs, second)).jobs == (second,)
    assert states(arena) | {first: JobState.QUEUED, second: JobState.DROPPED} == states(arena)
    assert (await organiser.ask(read_ladder, "main")).jobs.parked == 1
    await organiser.ask(retire_version, "ann-bot", 1)
    everything = await organiser.ask(retry_jobs, everything=True)
    assert everything.jobs == ()
    assert "its version of ann-bot has been retired. Drop" in everything.left[third]
    assert (await organiser.ask(drop_jobs, everything=True)).jobs == (third,)
    assert (await organiser.ask(read_queue)).parked == ()


async def test_what_is_not_parked_is_neither_played_again_nor_dropped(
    arena: Asked, organiser: Asker
) -> None:
    [queued] = ladder_jobs(arena, 1)
    unknown = await organiser.refused(retry_jobs, queued.job_id)
    assert (unknown.kind, unknown.field) == (Kind.NOT_FOUND, "job")
    for job, everything in (("", False), ("a", True)):
        wrong = await organiser.refused(drop_jobs, job, everything)
        assert wrong.sentence == "Name one parked job, or ask for everything that is parked."
    jobs = parked(arena, queued, *ladder_jobs(arena, 17))
    shared = next(a for a in "0123456789abcdef" if sum(one.startswith(a) for one in jobs) > 1)
    several = await organiser.refused(drop_jobs, shared)
    assert f"begin with {shared}: write more of it" in several.sentence


async def test_a_tournament_goes_on_with_the_same_deals(arena: Asked, organiser: Asker) -> None:
    jobs = swiss_round(arena.store, common_deals=True)
    again, dropped = parked(arena, *jobs[:2])

    def made() -> list[Job]:
        with arena.store.writing() as session:
            return list(TournamentJobs(session, session.get_one(Tournament, CUP)).make(session, 99))

    assert made() == []  # it stops
    assert (await organiser.ask(drop_jobs, dropped)).jobs == (dropped,)
    assert [one.job for one in (await organiser.ask(read_queue)).parked] == [again]
    assert made() == []
    assert (await organiser.ask(retry_jobs, again)).jobs == (again,)
    assert (await organiser.ask(read_queue)).parked == ()
    deals = {job.job_id: job.seed_text for job in jobs}
    assert sorted(job.seed_text for job in made()) == sorted([deals[again], deals[dropped]])


async def test_a_comparison_goes_on_with_the_same_deals(arena: Asked, organiser: Asker) -> None:
    halves = comparison_halves(arena.store)
    first, _ = parked(arena, *halves)

    def made() -> list[Job]:
        with arena.store.writing() as session:
            jobs = ComparisonJobs(session, session.get_one(Comparison, DUEL))
            return list(jobs.make(session, 2))

    assert made() == []
    assert len((await organiser.ask(drop_jobs, everything=True)).jobs) == 2
    assert made() == []
    with arena.store.writing() as session:
        session.get_one(Comparison, DUEL).state = CompetitionState.RUNNING
    assert [job.seed_text for job in made()] == [halves[0].seed_text, halves[1].seed_text]
    assert (await organiser.refused(retry_jobs, first)).kind is Kind.NOT_FOUND


async def test_the_page_shows_them_with_the_forms(arena: Asked, organiser: Asker) -> None:
    made_key(arena.data.pages_key)
    [job] = parked(arena, *ladder_jobs(arena, 1))
    with arena.store.writing() as session:
        org = tokens.create_token(session, "Org", Role.ORGANISER)[1]

    def visited() -> list[Answer]:
        visitor = Visitor(f"http://{arena.address}").log_in(org)
        return [
            visitor.get("/organiser/queue"),
            visitor.get(f"/do/retry_jobs?job={job}"),
            visitor.post("/do/retry_jobs", {"job": job}),
            visitor.get("/organiser/queue"),
        ]

    listed, form, done, empty = await asyncio.to_thread(visited)
    assert WHY in listed.text
    assert f'value="{job}"' in form.text
    assert (done.status, done.location) == (303, "/organiser/queue")
    assert "No job is parked." in empty.text
