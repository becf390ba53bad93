"""No statement for a job reads a table that grows with what has been played from end to end."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.ladder.ladder_views import ladder_views, rated_ladder
from arena.league.recorder import Recorded, Recorder
from arena.league.remote_capacity import RemotePlaces
from arena.league.scheduler import Scheduler
from arena.queue.redis_queue import Queue
from arena.store.queries import ladder_named, ladders
from arena.store.remote_bots import renew_token
from arena.store.schema import Format, Ladder
from arena.store.session import Store
from arena.views.bot import bot_card, owned_bots
from arena.views.competition import competition_cards
from arena.views.decision_times import decision_times
from arena.views.ladders.ladder import ladder_stamp
from arena.views.ladders.rating_curve import rating_curves
from arena.views.ladders.rating_history import rating_history
from arena.views.ladders.standing import standings
from arena.views.matches.deal_group import group_of, is_in_play
from arena.views.matches.fault import find_faults
from arena.views.matches.match_filter import MatchFilter, Order, Result
from arena.views.matches.match_list import count_matches, find_matches
from arena.views.results import crosstable, results_by_opponent, results_by_seat
from arena.views.search import search
from tests.support.job_outcomes import outcome_of

NewLadder = Callable[..., Ladder]


class Played(NamedTuple):
    """The versions on a ladder, and a match of it."""

    versions: list[str]
    match: str


GROWING = (
    "jobs",
    "matches",
    "match_seats",
    "records",
    "private_logs",
    "rating_changes",
    "ladder_seats",
    "ladder_meetings",
    "seat_results",
    "meeting_results",
    "decision_times",
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
        scheduler._announced()
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


LISTS = [
    MatchFilter(),
    MatchFilter(competition="main"),
    MatchFilter(game="xeri"),
    MatchFilter(faulted=True),
    MatchFilter(competition="main", faulted=True),
    MatchFilter(bot="ann"),
    MatchFilter(bot="ann", number=1, result=Result.LOST, against="bob"),
    MatchFilter(bot="ann", faulted=True),
    MatchFilter(bot="ann", order=Order.WORST),
    MatchFilter(slowest_ms=1000),
]
LOOKS: list[Callable[[Session, Played], object]] = [
    lambda session, played: standings(session, "main"),
    lambda session, played: ladder_stamp(session, "main"),
    lambda session, played: ladder_views(session, None, ladders(session)),
    lambda session, played: rated_ladder(session, None, ladder_named(session, "main")),
    lambda session, played: rating_history(session, "main", "ann"),
    lambda session, played: rating_curves(session, "main", played.versions, points=2),
    lambda session, played: crosstable(session, "main", played.versions),
    lambda session, played: bot_card(session, "ann"),
    lambda session, played: owned_bots(session, "Ann"),
    lambda session, played: results_by_opponent(session, played.versions),
    lambda session, played: results_by_seat(session, played.versions),
    lambda session, played: decision_times(session, played.versions),
    lambda session, played: competition_cards(session),
    lambda session, played: group_of(session, played.match[:8]),
    lambda session, played: is_in_play(session, played.match),
    lambda session, played: search(session, played.match[:8]).matches,
    lambda session, played: find_faults(session),
    lambda session, played: find_faults(session, bot="ann"),
    lambda session, played: find_faults(session, competition="main"),
]
# Each of its rows is looked at, but an index has them in the order of the list, which ends soon.
IN_ORDER = re.compile(r"USING (COVERING )?INDEX ix_\w*(finished_at|faults)")
MOST_STATEMENTS = 14


@pytest.fixture
def played(store: Store, new_ladder: NewLadder, jobs_of: Callable[..., Any], rng: Random) -> Played:
    for job in jobs_of(new_ladder(options={"deals": 1}), 12):
        outcome = outcome_of(job, rng, at_fault=[0] if rng.random() < 0.3 else [])
        assert Recorder(store).record(outcome) == Recorded()
    with store.reading() as session:
        rows = standings(session, "main")
        match = find_matches(session, MatchFilter(bot="ann"), limit=1).matches[0].match
    return Played([row.version for row in rows], match)


@pytest.mark.parametrize("wanted", LISTS, ids=str)
def test_no_list_of_matches_reads_or_sorts_all(
    store: Store, played: Played, wanted: MatchFilter
) -> None:
    with statements(store) as found, store.reading() as session:
        find_matches(session, wanted)
        find_matches(session, wanted, after=played.match)
        count_matches(session, wanted)
    seen = plans(store, found)
    assert [plan for plan in seen if READS_ALL.search(plan) and not IN_ORDER.search(plan)] == []
    if wanted.slowest_ms:
        return  # those are few, or else found in order
    lists = [plan for plan in seen if " LIMIT " in plan and "ORDER BY" in plan]
    assert lists
    assert [plan for plan in lists if plan.startswith("USE TEMP B-TREE FOR ORDER BY")] == []


@pytest.mark.parametrize("look", range(len(LOOKS)))
def test_no_page_reads_all_that_was_played_or_asks_too_often(
    store: Store, played: Played, look: int
) -> None:
    with statements(store) as found, store.reading() as session:
        assert LOOKS[look](session, played) is not None
    seen = plans(store, found)
    assert [plan for plan in seen if READS_ALL.search(plan) and not IN_ORDER.search(plan)] == []
    assert len(found) <= MOST_STATEMENTS
