"""A version that spoils too many matches of a ladder is suspended from it."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from arena.errors import Kind
from arena.league.job_rows import new_job, row_of
from arena.league.ladder.ladders import create_ladder, playing_versions
from arena.league.ladder.suspensions import LAST_MATCHES
from arena.league.recorder import Recorded, Recorder
from arena.queue.job import Entrant
from arena.store.faults import readmit
from arena.store.notices.news import PUBLIC, latest_news
from arena.store.schema import Entry, EntryState, Format, Ladder, Partners, Version
from arena.store.session import Store
from arena.views.ladders.standing import standings
from arena.views.matches.fault import find_faults, suspensions
from tests.support.failing import failing
from tests.support.job_outcomes import outcome_of

NewLadder = Callable[..., Ladder]


class Season:
    """A ladder on which two versions meet: the first is at fault in some matches."""

    def __init__(self, store: Store, ladder: Ladder, rng: Random) -> None:
        self.store, self.ladder, self._rng = store, ladder, rng
        with store.reading() as session:
            self.versions = playing_versions(session, ladder)[:2]
        self.version = self.versions[0]

    def play(self, *, faulted: int = 0, good: int = 0) -> None:
        """Plays a number of jobs, the first of them with faults."""
        for number in range(faulted + good):
            seats = self.ladder.seats
            entrants = [Entrant(bot=v.bot, version=v.digest) for v in self.versions] * (seats // 2)
            job = new_job(self.ladder, entrants)
            with self.store.writing() as session:
                session.add(row_of(job))
            at_fault = range(0, seats, 2) if number < faulted else ()
            outcome = outcome_of(job, self._rng, at_fault=at_fault)
            assert Recorder(self.store).record(outcome) == Recorded()

    def entry(self) -> Entry:
        with self.store.reading() as session:
            return session.get_one(Entry, (self.ladder.name, self.version.digest))


@pytest.fixture
def season(store: Store, new_ladder: NewLadder, rng: Random) -> Callable[..., Season]:
    return lambda **terms: Season(store, new_ladder(**terms), rng)


def playing(season: Season) -> set[str]:
    with season.store.reading() as session:
        return {version.digest for version in playing_versions(session, season.ladder)}


def test_one_fault_too_many_suspends_a_version(season: Callable[..., Season]) -> None:
    played = season(fault_quota=2)
    played.play(faulted=2, good=1)
    assert played.version.digest in playing(played)
    played.play(faulted=1)
    assert played.version.digest not in playing(played)
    with played.store.reading() as session:
        states = {e.version: e.state for e in standings(session, "main")}
        [suspended] = suspensions(session, "main")
    assert states[played.version.digest] == "suspended"
    assert states[played.versions[1].digest] == "active"
    assert played.entry().suspended_for == suspended.match
    assert (suspended.kind, suspended.sentence) == ("start-failed", "No hello came.")
    assert suspended.owner == played.version.bot.title()
    with played.store.reading() as session:
        [news] = latest_news(session, PUBLIC, limit=9)
    assert (news.competition, news.bot) == ("main", played.version.bot)
    assert "is suspended from the ladder main: more than 2 of its last 50" in news.sentence


def test_every_match_of_a_job_counts(season: Callable[..., Season]) -> None:
    played = season(fault_quota=1, format=Format.DUPLICATE)  # two matches a job
    played.play(good=1)
    assert played.entry().state is EntryState.ACTIVE
    played.play(faulted=1)
    assert played.entry().state is EntryState.SUSPENDED


def test_older_faults_are_forgotten(
    season: Callable[..., Season], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.league.ladder.suspensions.LAST_MATCHES", 4)
    monkeypatch.setattr("tests.support.job_outcomes.UUID", in_order())
    played = season(fault_quota=1)
    for _ in range(3):
        played.play(faulted=1, good=3)
        assert played.entry().state is EntryState.ACTIVE
    played.play(faulted=2)
    assert played.entry().state is EntryState.SUSPENDED


def in_order() -> Callable[..., Any]:
    """All these matches end at the same moment: their ids show which was the last."""
    count = iter(range(10**6))

    class Id:
        def __init__(self, *, int: int) -> None:
            self.hex = f"{next(count):032x}"

    return Id


def test_partners_of_one_version_spoil_a_match_once(season: Callable[..., Season]) -> None:
    terms = {"game": "seven-euchre", "options": {"max_deals": 1}, "partners": Partners.SAME}
    played = season(fault_quota=1, **terms)
    played.play(faulted=1)
    assert played.entry().state is EntryState.ACTIVE
    played.play(faulted=1)
    assert played.entry().state is EntryState.SUSPENDED
    with played.store.reading() as session:
        assert len(find_faults(session).faults) == 4
        assert len(suspensions(session, "main")) == 1


def test_a_readmitted_version_starts_afresh(season: Callable[..., Season]) -> None:
    played = season(fault_quota=0)
    bot, number = played.version.bot, played.version.number
    with played.store.writing() as session, failing(Kind.NOT_FOUND, match="is suspended from"):
        readmit(session, "main", bot, number)
    played.play(faulted=1)
    with played.store.writing() as session:
        assert readmit(session, "main", bot, number).digest == played.version.digest
    assert (played.entry().state, played.entry().suspended_for) == (EntryState.ACTIVE, None)
    played.play(good=1)
    assert played.entry().state is EntryState.ACTIVE
    with played.store.writing() as session:  # the matches of these tests ended before that
        session.get_one(Entry, ("main", played.version.digest)).cleared_at = datetime(
            2026, 7, 7, 8, 1, 7, tzinfo=UTC
        )
    played.play(faulted=1)
    assert played.entry().state is EntryState.SUSPENDED


def test_a_ladder_says_its_quota(store: Store) -> None:
    terms = {"store": store, "game": "xeri", "draw_probability": 0.1}
    with failing(Kind.WRONG_INPUT, match="it is 0 to 50, not 51") as caught:
        create_ladder(name="a", fault_quota=LAST_MATCHES + 1, **terms)  # type: ignore[arg-type]
    assert caught.value.field == "fault_quota"
    assert create_ladder(name="b", **terms).fault_quota == 5  # type: ignore[arg-type]


def test_all_faults_are_listed_by_owner_bot_and_ladder(season: Callable[..., Season]) -> None:
    played = season()
    played.play(faulted=2)
    own: tuple[dict[str, Any], ...] = (
        {"owner": played.version.bot.title()},
        {"bot": played.version.bot},
        {"competition": "main"},
    )
    nobodys: tuple[dict[str, Any], ...] = (
        {"owner": "Nobody"},
        {"bot": "nobody"},
        {"competition": "other"},
    )
    with played.store.reading() as session:
        for wanted in own:
            assert len(find_faults(session, **wanted).faults) == 2
        assert len(find_faults(session, limit=1).faults) == 1
        for nobody in nobodys:
            assert find_faults(session, **nobody).faults == ()
        assert session.get_one(Version, played.version.digest).faults == 2
