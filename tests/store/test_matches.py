"""Finished matches can be found by ladder, bot and page."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from arena.errors import Kind
from arena.store.match_names import short_name
from arena.store.queries import job_counts, ladder_named
from arena.store.schema import Bot, Job, JobState, Match, PrivateLog, Record, Version
from arena.store.session import Store
from arena.store.texts import packed, private_log_text, record_text
from arena.views.matches.match import match_named
from arena.views.matches.match_filter import MatchFilter, Result
from arena.views.matches.match_list import find_matches
from tests.support.failing import failing
from tests.support.match_rows import match_row
from tests.support.stored_matches import new_ladder

BEGIN = datetime(2026, 7, 7, 7, 7, 7, tzinfo=UTC)


def match(number: int, ladder: str, *bots: str) -> Match:
    finished_at = BEGIN + timedelta(seconds=number // 2)  # two at a time
    seats = [
        {"bot": bot, "version": bot * 64, "score": -seat, "rank": seat + 1, "margin": -seat or 1}
        for seat, bot in enumerate(bots)
    ]
    name = f"{number:03}{'e' * 29}"
    return match_row(name, f"job {number}", ladder, finished_at, seats, started_at=BEGIN)


@pytest.fixture
def store(store: Store) -> Store:
    """A store with ten matches of a and b on the ladder main, then two of a and c on another."""
    with store.writing() as session:
        for bot in "abc":
            session.add(Bot(name=bot, owner=bot.upper()))
            session.flush()
            session.add(Version(digest=bot * 64, bot=bot, number=1, manifest={}))
        session.add_all([new_ladder("main"), new_ladder("other")])
        session.flush()
        for number in range(12):
            name = "main" if number < 10 else "other"
            session.add(Job(id=f"job {number}", competition=name, body="{}", token_hash="0" * 64))
            session.flush()
            session.add(match(number, name, "a", "b" if number < 10 else "c"))
    return store


def test_pages_follow_each_other_without_gaps_the_latest_first(store: Store) -> None:
    seen, after = [], None
    with store.reading() as session:
        while True:
            page = find_matches(session, limit=5, after=after)
            seen += [row.match[:3] for row in page.matches]
            after = page.next
            if after is None:
                break
    assert seen == [f"{number:03}" for number in reversed(range(12))]


def test_matches_of_a_ladder_or_a_bot(store: Store) -> None:
    with store.reading() as session:
        assert len(find_matches(session, MatchFilter(competition="main")).matches) == 10
        assert len(find_matches(session, MatchFilter(bot="c")).matches) == 2
        assert find_matches(session, MatchFilter(bot="c", competition="main")).matches == ()
        assert find_matches(session, MatchFilter(bot="a"), limit=12).next is None


@pytest.fixture
def results(store: Store) -> Store:
    """A ladder of three seats; the names of the matches are the bots in the order of their ranks,
    with = between bots that tie and ! behind one at fault."""
    with store.writing() as session:
        session.add(new_ladder("three"))
        session.flush()
        for number, name in enumerate(("abc", "bac!", "cba", "a=bc", "bc!a", "aab"), 20):
            session.add(
                Job(id=f"job {number}", competition="three", body="{}", token_hash="0" * 64)
            )
            session.flush()
            bots = [letter for letter in name if letter.isalpha()]
            row = match(2 * number, "three", *bots)
            row.job = f"job {number}"
            row.id = name
            for seat, bot in enumerate(bots):
                row.seats[seat].fault_kind = "crashed" if f"{bot}!" in name else None
            if "=" in name:
                row.seats[1].rank = 1
            session.add(row)
    return store


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (MatchFilter(against="b"), "aab bc!a a=bc cba bac! abc"),
        (MatchFilter(result=Result.WON), "aab abc"),
        (MatchFilter(result=Result.LOST), "aab bc!a cba bac!"),
        (MatchFilter(against="b", result=Result.WON), "aab abc"),
        (MatchFilter(against="c", result=Result.WON), "a=bc bac! abc"),
        (MatchFilter(against="b", result=Result.LOST), "bc!a cba bac!"),
        (MatchFilter(against="c", result=Result.LOST), "bc!a cba"),
        (MatchFilter(against="a"), "aab"),
        (MatchFilter(against="a", result=Result.LOST), "aab"),
        (MatchFilter(faulted=True), ""),
        (MatchFilter(bot="c", faulted=True), "bc!a bac!"),
        (MatchFilter(bot="c", faulted=True, against="b", result=Result.LOST), "bc!a bac!"),
        (MatchFilter(bot="c", faulted=True, against="a", result=Result.WON), "bc!a"),
    ],
    ids=str,
)
def test_matches_are_found_by_opponent_result_and_fault(
    results: Store, wanted: MatchFilter, found: str
) -> None:
    wanted = replace(wanted, competition="three", bot=wanted.bot or "a")
    seen, after = [], None
    with results.reading() as session:
        while True:
            page = find_matches(session, wanted, limit=2, after=after)
            seen += [row.match for row in page.matches]
            after = page.next
            if after is None:
                break
        if wanted.faulted and wanted.bot == "a":
            everybodys = find_matches(session, MatchFilter(competition="three", faulted=True))
            assert [row.match for row in everybodys.matches] == ["bc!a", "bac!"]
    assert seen == found.split()


def test_a_match_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    with store.reading() as session:
        row = match_named(session, "007")
    assert (row.match, row.job, row.seats[1].bot) == (f"007{'e' * 29}", "job 7", "b")
    assert (row.seats[1].number, row.seats[1].rank, row.seats[1].faults) == (1, 2, ())
    assert row.started_at == BEGIN


def test_a_match_is_found_by_its_short_name(store: Store) -> None:
    ids = [f"{'abcdef0123456789'}-{number}" for number in (1, 2, 11, 12)]
    with store.writing() as session:
        for number, match_id in enumerate(ids):
            row = match(number, "main", "a", "b")
            row.id, row.number = match_id, 100 + number
            session.add(row)
    names = ["abcdef0123-1", "abcdef0123-2", "abcdef0123-11", "abcdef0123-12"]
    assert [short_name(match_id) for match_id in ids] == names
    with store.reading() as session:
        assert [match_named(session, name).match for name in names] == ids
        assert [match_named(session, match_id).match for match_id in ids] == ids
        assert find_matches(session, after="abcdef0123-12").matches[0].match == ids[2]
        with failing(Kind.NOT_FOUND, match="No match begins with 'abcdef0123-3'"):
            match_named(session, "abcdef0123-3")
        with failing(Kind.NOT_FOUND, match="No match begins with '-1'"):
            match_named(session, "-1")
    assert short_name("m-7") == "m-7"


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("7", "No match begins with '7'"),
        ("00", "More than one match begins with '00'"),
        ("", "More than one match begins with ''"),
        ("%", "No match begins with '%'"),
    ],
)
def test_an_unknown_or_ambiguous_match_is_reported(
    store: Store, wanted: str, sentence: str
) -> None:
    with store.reading() as session, failing(Kind.NOT_FOUND, match=sentence):
        match_named(session, wanted)


def test_texts_are_kept_until_they_are_pruned(store: Store) -> None:
    match_id = f"003{'e' * 29}"
    with store.reading() as session, failing(Kind.GONE, match="has been pruned"):
        record_text(session, "003")
    with store.reading() as session, failing(Kind.GONE, match="has been pruned"):
        private_log_text(session, "003")
    with store.writing() as session:
        session.add(Record(match=match_id, digest="d" * 64, body=packed('{"Ξερή":7}')))
        session.add(PrivateLog(match=match_id, body=packed("{}")))
    with store.reading() as session:
        assert record_text(session, "003") == '{"Ξερή":7}'
        assert private_log_text(session, "003") == "{}"


def test_jobs_are_counted_by_state(store: Store) -> None:
    with store.writing() as session:
        session.get_one(Job, "job 3").state = JobState.PARKED
    with store.reading() as session:
        counted = job_counts(session, "main")
        assert counted == {
            JobState.QUEUED: 9,
            JobState.RECORDED: 0,
            JobState.PARKED: 1,
            JobState.DROPPED: 0,
        }


def test_a_missing_ladder_is_reported_with_those_that_exist(store: Store) -> None:
    with store.reading() as session, failing(Kind.NOT_FOUND, match="there are: main, other"):
        ladder_named(session, "third")
