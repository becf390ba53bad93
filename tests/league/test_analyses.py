"""Analyses are requested within bounds, put on the queue, and stored once."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
import sqlalchemy as sa

from arena.errors import ArenaError, Kind
from arena.league.analyses import ask_for
from arena.league.analyses.analysis_jobs import MOST_A_DAY, MOST_OPEN
from arena.league.recorder import Dropped, Recorded, Recorder
from arena.league.retention import Limit, Retention, prune
from arena.league.scheduler import Scheduler
from arena.queue.job import Job, Outcome
from arena.queue.redis_queue import Delivered, Queue
from arena.records import read_compressed
from arena.store import schema
from arena.store.schema import Ladder, now
from arena.store.session import Store
from arena.views.matches.analysis import Analysis, AnalysisState, StoredAnalysis, stored_analysis
from tests.support.job_outcomes import outcome_of

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]


@pytest.fixture
def recorder(store: Store) -> Recorder:
    return Recorder(store)


@pytest.fixture
def matches(
    store: Store, recorder: Recorder, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> list[str]:
    """The ids of more matches than may be analysed at once."""
    for job in jobs_of(new_ladder(options={"deals": 1}), MOST_OPEN + 1):
        assert recorder.record(outcome_of(job, rng)) == Recorded()
    with store.reading() as session:
        return list(session.scalars(sa.select(schema.Match.id).order_by(schema.Match.id)))


@pytest.fixture
def scheduler(store: Store, queue: Queue) -> Scheduler:
    return Scheduler(store, queue, only=())


def ask(store: Store, match: str, owner: str = "Ann") -> None:
    with store.writing() as session:
        ask_for(session, match, owner, bounded=True)


def found(store: Store, match: str) -> StoredAnalysis:
    with store.reading() as session:
        return stored_analysis(session, match)


def analysis_of(job: Job) -> Analysis:
    record = read_compressed(job.record).record
    return Analysis(
        match=record.match_id, game=record.game, budget=1, seed="x", plays=(), decisions=()
    )


def reported(job: Job, **fields: str) -> Outcome:
    outcome = Outcome(
        job_id=job.job_id,
        attempt=1,
        worker="w1",
        result_token=job.result_token,
        analysis=analysis_of(job).model_dump_json(),
    )
    return outcome.model_copy(update=fields)


async def test_an_analysis_is_put_on_the_queue_and_stored_once(
    store: Store, queue: Queue, scheduler: Scheduler, recorder: Recorder, matches: list[str]
) -> None:
    match = matches[0]
    assert found(store, match).state is AnalysisState.NONE
    ask(store, match)
    ask(store, match, "Bob")
    await scheduler.refill()
    await scheduler.refill()
    assert found(store, match).state is AnalysisState.WAITING
    lease = await queue.take("w1", 0)
    assert lease is not None
    assert await queue.take("w1", 0) is None
    await scheduler.announce()
    await scheduler.refill()
    assert found(store, match).state is AnalysisState.RUNNING
    assert recorder.record(reported(lease.job)) == Recorded()
    done = StoredAnalysis(state=AnalysisState.DONE, analysis=analysis_of(lease.job))
    assert found(store, match) == done
    assert recorder.record(reported(lease.job, analysis="", failure="late")) == Recorded()
    ask(store, match)
    assert found(store, match) == done


async def test_a_job_that_redis_lost_is_put_there_again(
    store: Store, queue: Queue, scheduler: Scheduler, recorder: Recorder, matches: list[str]
) -> None:
    ask(store, matches[0])
    await scheduler.refill()
    first = await queue.take("w1", 0)
    assert first is not None
    await scheduler.put_again()
    assert await queue.take("w1", 0) is None
    assert await queue.fail(first, "lost")
    [lost] = await queue.outcomes(9, 0)
    await queue.acknowledge(lost)
    await scheduler.put_again()
    again = await queue.take("w1", 0)
    assert again is not None
    assert again.job.job_id == first.job.job_id
    assert isinstance(recorder.record(reported(first.job)), Dropped)
    assert recorder.record(reported(again.job)) == Recorded()


async def test_one_that_failed_may_be_asked_for_again(
    store: Store, queue: Queue, scheduler: Scheduler, recorder: Recorder, matches: list[str]
) -> None:
    ask(store, matches[0])
    await scheduler.refill()
    lease = await queue.take("w1", 0)
    assert lease is not None
    failed = reported(lease.job, analysis="", failure="It has\nno game.")
    assert recorder.record(failed) == Recorded()
    assert found(store, matches[0]).state is AnalysisState.FAILED
    assert "no game." in found(store, matches[0]).reason
    ask(store, matches[0])
    assert found(store, matches[0]).state is AnalysisState.WAITING


@pytest.mark.parametrize("text", ["", "{}", "other"])
async def test_what_is_no_analysis_of_the_match_is_refused_and_given_up(
    store: Store,
    queue: Queue,
    scheduler: Scheduler,
    recorder: Recorder,
    matches: list[str],
    text: str,
) -> None:
    ask(store, matches[0])
    await scheduler.refill()
    lease = await queue.take("w1", 0)
    assert lease is not None
    if text == "other":
        other = analysis_of(lease.job).model_copy(update={"match": matches[1]})
        text = other.model_dump_json()
    forged = reported(lease.job, analysis=text)
    assert recorder.settle([Delivered(b"1-0", forged.job_id, 1, forged)]) == []
    assert found(store, matches[0]).state is AnalysisState.WAITING
    last = Delivered(b"1-0", forged.job_id, 3, forged)
    assert recorder.settle([last]) == [last]
    assert found(store, matches[0]).state is AnalysisState.FAILED


def test_an_owner_has_few_open_ones_and_so_many_a_day(store: Store, matches: list[str]) -> None:
    for match in matches[:MOST_OPEN]:
        ask(store, match)
        ask(store, match)
    with pytest.raises(ArenaError, match=f"{MOST_OPEN} analyses that you asked for") as refused:
        ask(store, matches[-1])
    assert (refused.value.kind, refused.value.field) == (Kind.TOO_MANY, "match")
    ask(store, matches[-1], "Bob")
    with store.writing() as session:
        session.execute(sa.update(schema.Analysis).values(owner="Ann", reason="failed"))
        session.execute(sa.delete(schema.Analysis).where(schema.Analysis.match == matches[0]))
    ask(store, matches[0])


def test_the_bound_of_a_day_ends_with_it(
    store: Store, matches: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.league.analyses.analysis_jobs.MOST_A_DAY", 1)
    ask(store, matches[0])
    with pytest.raises(ArenaError, match="within a day"):
        ask(store, matches[1])
    with store.writing() as session:
        session.execute(sa.update(schema.Analysis).values(created_at=now() - timedelta(days=2)))
    ask(store, matches[1])
    assert MOST_A_DAY > MOST_OPEN


def test_it_is_dropped_with_the_record(store: Store, matches: list[str]) -> None:
    ask(store, matches[0])
    assert prune(store, Retention(records=Limit(matches=1))).records == len(matches) - 1
    with store.reading() as session:
        assert {row.match for row in session.scalars(sa.select(schema.Analysis))} <= set(
            session.scalars(sa.select(schema.Record.match))
        )
