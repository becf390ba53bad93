"""No statement for a job reads a table that grows with what has been played from end to end."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.league.recorder import Recorded, Recorder
from arena.league.remote_capacity import RemotePlaces
from arena.league.scheduler import Scheduler
from arena.queue.redis_queue import Queue
from arena.store.remotes import renew_token
from arena.store.session import Store
from arena.store.tables import Format, Ladder
from tests.support.job_outcomes import outcome_of

NewLadder = Callable[..., Ladder]

GROWING = (
    "jobs",
    "matches",
    "match_seats",
    "records",
    "private_logs",
    "rating_changes",
    "ladder_seats",
    "ladder_meetings",
)
READS_ALL = re.compile(rf"SCAN ({'|'.join(GROWING)})\b(?! USING INDEX ix_jobs_queued)")


@contextmanager
def statements(store: Store) -> Iterator[dict[str, Any]]:
    """Collects the statements that are carried out, with their values."""
    found: dict[str, Any] = {}

    def note(*event: object) -> None:
        _, _, statement, values, _, many = event
        found[str(statement)] = values[0] if many and isinstance(values, list) else values

    sa.event.listen(store.engine, "before_cursor_execute", note)
    yield found
    sa.event.remove(store.engine, "before_cursor_execute", note)


def plans(store: Store, found: dict[str, Any]) -> list[str]:
    with store.engine.connect() as connection:
        return [
            f"{row[3]}, in: {statement}"
            for statement, values in found.items()
            if re.match(r"SELECT|INSERT|UPDATE|DELETE|WITH", statement)
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        ]


@pytest.mark.parametrize("format", Format)
async def test_no_job_reads_all_that_was_played(
    store: Store, queue: Queue, new_ladder: NewLadder, rng: Random, format: Format
) -> None:
    new_ladder(options={"deals": 1}, format=format)
    with store.writing() as session:
        renew_token(session, "eve")
    scheduler, recorder = Scheduler(store, queue, keep=2, rng=rng), Recorder(store)
    scheduler._make()  # it starts: reads the counts
    with statements(store) as found:
        scheduler._playing()
        for job in [*scheduler._lost(()), *scheduler._make()]:
            outcome = outcome_of(job, rng, at_fault=[0])
            assert recorder.record(outcome) == Recorded()
        assert scheduler._make()
        with store.reading() as session:
            RemotePlaces(session, "xeri", lambda *_: 1)
    assert len(found) > 20
    seen = plans(store, found)
    assert any("ix_jobs_queued" in plan for plan in seen)
    assert any("ix_match_seats_version_competition_finished_at" in plan for plan in seen)
    assert [plan for plan in seen if READS_ALL.search(plan)] == []


def test_reading_everything_would_be_noticed(store: Store, new_ladder: NewLadder) -> None:
    new_ladder()
    with statements(store) as found, store.reading() as session:
        session.execute(sa.select(sa.func.count()).select_from(sa.table("matches")))
        session.execute(sa.text("SELECT body FROM jobs WHERE state = 'recorded'"))
    assert len([plan for plan in plans(store, found) if READS_ALL.search(plan)]) == 2
