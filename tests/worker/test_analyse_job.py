"""A worker analyses matches, in processes of their own, on a real Valkey."""

from __future__ import annotations

import os
import signal
import sys
from itertools import count

import psutil
import pytest

from arena.queue.job import Job
from arena.queue.redis_queue import Queue
from arena.views.matches.analysis import Analysis
from tests.support.job_outcomes import body_of
from tests.support.played_matches import played
from tests.support.processes import words_of
from tests.support.seats import until
from tests.support.stand_ins import Stable, new_job
from tests.worker.test_worker import next_outcome, working

RECORD = played("xeri", deals=1).record
BUDGET = 2
QUICK = (
    "import arena.analysis.__main__ as it;"
    f" it.BUDGET = {BUDGET}; it.NICE = 0; raise SystemExit(it.main())"
)
LATE_S = 100.0  # its process loads much, and the machine may be busy
STUCK = "import sys; sys.stdin.buffer.read()"  # it ends with its worker


def analyse_by(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr("arena.worker.analyse_job.ANALYST", (sys.executable, "-c", program))


@pytest.fixture(autouse=True)
def analyses_are_rough(monkeypatch: pytest.MonkeyPatch) -> None:
    analyse_by(monkeypatch, QUICK)


names = count(1)


def analysis(record: bytes = body_of(RECORD), **fields: object) -> Job:
    return new_job(f"analysis-{next(names)}").model_copy(update={"record": record, **fields})


def analysts() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if STUCK in words_of(child)]


async def test_a_worker_analyses_a_match_after_those_to_be_played(queue: Queue) -> None:
    await queue.put(analysis())
    await queue.put(new_job("match"))
    async with working(queue, Stable().start):
        assert (await next_outcome(queue)).job_id == "match"
        outcome = await next_outcome(queue, LATE_S)
    assert (outcome.failure, outcome.matches, outcome.attempt) == ("", (), 1)
    found = Analysis.model_validate_json(outcome.analysis)
    assert (found.match, found.budget) == (RECORD.match_id, BUDGET)
    assert [play.seat for play in found.plays] == [0, 1]


async def test_one_whose_process_is_killed_is_made_once_more(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyse_by(monkeypatch, STUCK)
    await queue.put(analysis())
    async with working(queue, Stable().start):
        await until(lambda: any(analysts()))
        [first] = analysts()
        analyse_by(monkeypatch, "print('an analysis', end='')")
        os.kill(first.pid, signal.SIGKILL)
        outcome = await next_outcome(queue)
        assert await queue.outcomes(1, 0) == []
    assert (outcome.failure, outcome.attempt) == ("", 2)
    assert outcome.analysis == "an analysis"


async def test_a_worker_that_stops_ends_the_process_and_gives_the_job_back(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyse_by(monkeypatch, STUCK)
    await queue.put(analysis())
    async with working(queue, Stable().start) as (_, running):
        await until(lambda: any(analysts()))
        running.cancel()
        await until(running.done)
    assert not any(analysts())
    lease = await queue.take("another", 0)
    assert lease is not None
    assert lease.attempt == 1


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (analysis(b"nothing"), "cannot be decompressed"),
        (analysis(game="chess"), "This worker does not have the game."),
        (analysis(rules_version=99), "The job is for version 99 of the rules of xeri"),
    ],
)
async def test_what_cannot_be_analysed_fails_with_a_sentence(
    queue: Queue, job: Job, words: str
) -> None:
    await queue.put(job)
    async with working(queue, Stable().start):
        outcome = await next_outcome(queue, LATE_S)
    assert words in outcome.failure
    assert outcome.analysis == ""
