"""The numbers that pages show are written with the matches that they count, whatever happens."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.league import recorder as recorder_module
from arena.league.aggregates import Recount, add, competition_names, recount
from arena.league.recorder import AlreadySettled, Recorded, Recorder
from arena.queue.job import Job
from arena.queue.redis_queue import Delivered
from arena.store.schema import (
    Format,
    Ladder,
    MeetingResults,
    Partners,
    Record,
    SeatResults,
    table_of,
)
from arena.store.session import Store
from tests.support.failing import failing
from tests.support.job_outcomes import outcome_of
from tests.support.page_numbers import counted, stored

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]

LADDERS: list[tuple[str, dict[str, Any], int]] = [
    ("xeri", {"options": {"deals": 1}}, 15),
    ("xeri", {"format": Format.DUPLICATE, "options": {"deals": 1}}, 8),
    ("insidious-sevens", {"seats": 3}, 6),
    ("seven-euchre", {}, 6),
    ("seven-euchre", {"partners": Partners.SAME, "format": Format.DUPLICATE}, 3),
]
NOBODY: frozenset[str] = frozenset()


def at_fault(job: Job, rng: Random) -> list[int]:
    everybody = list(range(len(job.entrants)))
    return rng.choice([[], [], [0], [1], everybody])


@pytest.mark.parametrize(("game", "terms", "jobs"), LADDERS)
def test_the_numbers_are_those_of_all_records(
    store: Store,
    new_ladder: NewLadder,
    jobs_of: JobsOf,
    rng: Random,
    game: str,
    terms: dict[str, Any],
    jobs: int,
) -> None:
    recorder, ladder = Recorder(store), new_ladder(game, **terms)
    outcomes = [outcome_of(job, rng, at_fault=at_fault(job, rng)) for job in jobs_of(ladder, jobs)]
    half = len(outcomes) // 2
    for outcome in outcomes[:half]:
        assert recorder.record(outcome) == Recorded()
        assert recorder.record(outcome) == AlreadySettled()  # it arrives again
    batch = [Delivered(b"", one.job_id, 1, one, "") for one in outcomes]  # some for the third time
    assert recorder.settle(batch) == batch
    with store.reading() as session:
        right = counted(session, "main")
        assert all(right.values())
        assert stored(session, "main") == right
    matches = sum(len(outcome.matches) for outcome in outcomes)
    assert recount(store, "main") == Recount(matches, NOBODY)


def test_what_was_not_committed_does_not_count(
    store: Store,
    new_ladder: NewLadder,
    jobs_of: JobsOf,
    rng: Random,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The recorder is killed after it has counted, before the transaction ends; then another one
    receives the outcome again."""
    [job] = jobs_of(new_ladder(options={"deals": 1}), 1)
    outcome = outcome_of(job, rng)

    def killed(*arguments: Any) -> None:
        add(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(recorder_module, "add", killed)
        with pytest.raises(KeyboardInterrupt):
            Recorder(store).record(outcome)
    with store.reading() as session:
        assert not any(stored(session, "main").values())
    assert Recorder(store).record(outcome) == Recorded()
    with store.reading() as session:
        assert stored(session, "main") == counted(session, "main")


@pytest.fixture
def played(store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random) -> list[Job]:
    jobs = jobs_of(new_ladder(options={"deals": 1}), 6)
    for job in jobs:
        assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
    return jobs


DAMAGE = [
    sa.delete(table_of(SeatResults)),
    sa.delete(table_of(MeetingResults)).where(table_of(MeetingResults).c.wins > 0),
    sa.update(table_of(SeatResults)).values(slowest_ms=8),
]


@pytest.mark.parametrize("damage", DAMAGE, ids=str)
def test_a_recount_repairs_and_names_whom_it_concerned(
    store: Store, played: list[Job], damage: Any
) -> None:
    with store.writing() as session:
        session.execute(damage)
    found = recount(store, "main")
    assert found.changed
    assert found.changed <= {entrant.version for job in played for entrant in job.entrants}
    with store.reading() as session:
        assert stored(session, "main") == counted(session, "main")
    assert recount(store, "main") == Recount(len(played), NOBODY)


def test_numbers_of_pruned_records_stay(store: Store, played: list[Job]) -> None:
    with store.writing() as session:
        session.execute(sa.delete(Record))
    assert recount(store, "main") == Recount(len(played), NOBODY)


def test_a_competition_that_is_not_there_cannot_be_counted(
    store: Store, new_ladder: NewLadder
) -> None:
    new_ladder()
    with store.reading() as session:
        assert competition_names(session) == competition_names(session, "main") == ["main"]
        with failing(Kind.NOT_FOUND, match=r"no competition 'mian'\. Did you mean main"):
            competition_names(session, "mian")
