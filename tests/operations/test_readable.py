"""Nothing of a deal is shown before the last match with it has been recorded."""

from __future__ import annotations

import pytest

from arena.errors import ArenaError
from arena.league.comparison import ComparisonJobs
from arena.league.comparison import change_state as change_comparison
from arena.operations.caller import LOCAL_CALLER, Caller
from arena.operations.readable import readable_match
from arena.queue.job import Job
from arena.store.schema import Comparison, CompetitionState, Role
from arena.store.session import Store
from arena.views.matches.match import matches_of_jobs
from tests.support.unplayed_jobs import DUEL, comparison_halves, record, swiss_round

ANN = Caller("ann", Role.OWNER)


def is_readable(store: Store, job: Job, viewer: Caller | None = None) -> bool:
    with store.reading() as session:
        [first, *_] = matches_of_jobs(session, [job.job_id])[job.job_id]
        try:
            assert readable_match(session, first.match, viewer) == first
        except ArenaError:
            return False
        return True


@pytest.fixture
def halves(store: Store) -> list[Job]:
    return comparison_halves(store)


def test_half_a_comparisons_group_is_hidden_until_the_other_is_recorded(
    store: Store, halves: list[Job]
) -> None:
    record(store, halves[0])
    assert not is_readable(store, halves[0])
    assert not is_readable(store, halves[0], ANN)
    assert is_readable(store, halves[0], LOCAL_CALLER)
    record(store, halves[1])
    with store.writing() as session:
        ComparisonJobs(session, session.get_one(Comparison, DUEL)).make(session, 4)
    assert is_readable(store, halves[0])


def test_a_comparison_that_has_ended_hides_nothing(store: Store, halves: list[Job]) -> None:
    record(store, halves[0])
    with store.writing() as session:
        change_comparison(session, session.get_one(Comparison, DUEL), CompetitionState.CANCELLED)
    assert is_readable(store, halves[0])


def test_a_rounds_common_deals_are_hidden_until_every_table_has_played_them(store: Store) -> None:
    first, *others = swiss_round(store, common_deals=True)
    record(store, first)
    assert not is_readable(store, first)
    record(store, *others)
    assert is_readable(store, first)


def test_a_tables_own_deals_are_shown_at_once(store: Store) -> None:
    first, *_ = swiss_round(store, common_deals=False)
    record(store, first)
    assert is_readable(store, first)
