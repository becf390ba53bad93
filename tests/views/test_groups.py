"""Nothing of a deal may be shown before everybody who plays it has played it."""

from typing import Any

import pytest
import sqlalchemy as sa

from arena.league.comparison import change_state as change_comparison
from arena.league.recorder import Recorder
from arena.league.tournament import change_state
from arena.queue.job import Job
from arena.store.schema import Comparison, CompetitionState, Tournament
from arena.store.session import Store
from arena.views.matches.deal_group import group_of, in_play, is_in_play
from arena.views.matches.match import match_named, matches_of_jobs
from tests.support.unplayed_jobs import CUP, DUEL, comparison_halves, record, swiss_round

State = CompetitionState


def first_match(store: Store, job: Job) -> str:
    with store.reading() as session:
        return matches_of_jobs(session, [job.job_id])[job.job_id][0].match


def is_shown(store: Store, match: str) -> bool:
    with store.reading() as session:
        group = group_of(session, match)
        assert is_in_play(session, match) is not group.complete
        assert match_named(session, match) in group.matches
        return group.complete


def test_a_round_of_common_deals_is_shown_when_all_tables_have_played_it(store: Store) -> None:
    groups: dict[str, list[Job]] = {}
    for job in swiss_round(store, common_deals=True):
        groups.setdefault(job.seed_text, []).append(job)
    tables = next(iter(groups.values()))
    assert len(tables) == 3
    record(store, *tables[:-1])
    match = first_match(store, tables[0])
    assert not is_shown(store, match)
    record(store, tables[-1])
    assert is_shown(store, match)
    with store.reading() as session:
        group = group_of(session, match)
        assert (group.kind, group.competition, group.number) == ("round", CUP, 1)
        assert set(group.jobs) == {job.job_id for job in tables}
        assert len(group.matches) == sum(len(job.seatings) for job in tables)


def test_a_round_that_was_cancelled_is_shown_since_nobody_plays_it_any_more(store: Store) -> None:
    [one, *others] = swiss_round(store, common_deals=True)
    recorder = Recorder(store)
    record(store, one)
    match = first_match(store, one)
    for job in others:
        recorder.park(job.job_id, "Its worker was lost.")
    assert not is_shown(store, match)  # it may be played again
    with store.writing() as session:
        change_state(session, session.get_one(Tournament, CUP), State.CANCELLED)
    assert is_shown(store, match)


def test_a_table_with_its_own_deals_is_shown_at_once(store: Store) -> None:
    [job, *_] = swiss_round(store, common_deals=False)
    record(store, job)
    assert is_shown(store, first_match(store, job))


@pytest.mark.parametrize("ended", [False, True])
def test_a_group_of_a_comparison_is_shown_when_both_halves_are_over(
    store: Store, ended: bool
) -> None:
    recorder = Recorder(store)
    one, other = comparison_halves(store)
    assert one.seed_text == other.seed_text
    record(store, one)
    match = first_match(store, one)
    assert not is_shown(store, match)
    if not ended:
        record(store, other)
        assert is_shown(store, match)
        with store.reading() as session:
            group = group_of(session, match)
            assert (group.kind, group.competition, group.number) == ("comparison", DUEL, 1)
            assert group.jobs == (one.job_id, other.job_id)
            assert len(group.matches) == len(one.seatings) + len(other.seatings)
        return
    recorder.park(other.job_id, "Nobody plays it.")
    assert not is_shown(store, match)  # it may be played again
    with store.writing() as session:
        change_comparison(session, session.get_one(Comparison, DUEL), State.CANCELLED)
    assert is_shown(store, match)


def test_several_matches_are_asked_about_at_once(store: Store) -> None:
    one, other = comparison_halves(store)
    record(store, one)
    statements: list[str] = []

    def note(*event: Any) -> None:
        statements.append(event[2])

    with store.reading() as session:
        ids = [row.match for row in matches_of_jobs(session, [one.job_id])[one.job_id]]
        sa.event.listen(store.engine, "before_cursor_execute", note)
        assert in_play(session, ids) == {*ids}
        asked = len(statements)
        assert in_play(session, ids[:1]) == {ids[0]}
        sa.event.remove(store.engine, "before_cursor_execute", note)
    assert len(statements) == 2 * asked
    record(store, other)
    with store.reading() as session:
        assert in_play(session, ids) == frozenset()
