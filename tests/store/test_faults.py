"""Faults are listed and counted, and suspensions end when they are forgiven."""

from datetime import timedelta

import pytest

from arena.errors import Kind
from arena.store.faults import faulted, readmit, suspend
from arena.store.schema import Entry, EntryState
from arena.store.session import Store
from arena.views.matches.fault import find_faults, suspensions
from tests.support.failing import failing
from tests.support.stored_matches import AT, add_bots, add_match, digest_of, new_ladder

ANN, BOB = digest_of("ann-bot"), digest_of("bob-bot")


@pytest.fixture
def played(store: Store) -> Store:
    """Three matches on one ladder and one on another; Ann's bot is at fault in all of them."""
    with store.writing() as session:
        session.add_all([new_ladder("main"), new_ladder("other")])
        session.flush()
        add_bots(session)
        for minute in (1, 2, 3):
            add_match(session, f"m-{minute}", "main", minute)
        add_match(session, "m-4", "other", 4)
    return store


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, ["m-4", "m-3", "m-2", "m-1"]),
        ({"competition": "main"}, ["m-3", "m-2", "m-1"]),
        ({"owner": "Ann", "limit": 2}, ["m-4", "m-3"]),
        ({"bot": "ann-bot", "competition": "other"}, ["m-4"]),
        ({"bot": "bob-bot"}, []),
        ({"owner": "Bob"}, []),
    ],
)
def test_faults_are_listed_latest_first(
    played: Store, wanted: dict[str, str], found: list[str]
) -> None:
    with played.reading() as session:
        rows = find_faults(session, **wanted).faults  # type: ignore[arg-type]
    assert [row.match for row in rows] == found
    assert {(row.bot, row.kind, row.decision) for row in rows} <= {("ann-bot", "crashed", 3)}


def test_faults_come_in_pages_that_miss_none_and_repeat_none(played: Store) -> None:
    found, after = [], ""
    with played.reading() as session:
        for size in (1, 2, 1):
            page = find_faults(session, owner="Ann", after=after, limit=size)
            found += [row.match for row in page.faults]
            after = page.next or ""
        assert (found, after) == (["m-4", "m-3", "m-2", "m-1"], "")
        assert find_faults(session, owner="Bob").faults == ()
        assert find_faults(session, bot="bob-bot").faults == ()
        for wrong in ("m-4", "m-4.9", "m-9.0", ".", "m-4.99999999999999999999", "m-4.-1"):
            with failing(Kind.NOT_FOUND, match="begin with the first page"):
                find_faults(session, after=wrong)


def test_only_matches_of_the_ladder_after_the_last_pardon_count(played: Store) -> None:
    with played.writing() as session:
        entry, innocent = (session.get_one(Entry, ("main", digest)) for digest in (ANN, BOB))
        assert [faulted(session, entry, among) for among in (50, 2)] == [3, 2]
        assert faulted(session, innocent, 50) == 0
        entry.cleared_at = AT + timedelta(minutes=2)
        assert faulted(session, entry, 50) == 1


def test_a_suspended_version_is_listed_with_its_fault_until_it_is_readmitted(played: Store) -> None:
    with played.writing() as session:
        suspend(session.get_one(Entry, ("main", ANN)), "m-2")
    with played.reading() as session:
        [fault] = suspensions(session, "main")
    assert (fault.match, fault.bot, fault.version) == ("m-2", "ann-bot", ANN)
    with played.writing() as session:
        assert readmit(session, "main", "ann-bot", 1).digest == ANN
    with played.reading() as session:
        entry = session.get_one(Entry, ("main", ANN))
        assert (entry.state, entry.suspended_for) == (EntryState.ACTIVE, None)
        assert faulted(session, entry, 50) == 0
        assert suspensions(session, "main") == []


def test_only_a_suspended_version_can_be_readmitted(played: Store) -> None:
    for ladder, bot in (("main", "ann-bot"), ("main", "nobody"), ("nowhere", "ann-bot")):
        with failing(Kind.NOT_FOUND), played.writing() as session:
            readmit(session, ladder, bot, 1)
