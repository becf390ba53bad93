"""Seasons of ladders: their dates, their end, and the next one."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from arena.errors import Kind
from arena.league import check_takes_submissions
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import enter
from arena.league.recorder import AlreadySettled, Recorded, Recorder
from arena.moment import rfc3339
from arena.operations.competitions.ladders import (
    begin_season,
    change_ladder,
    enter_ladder,
    leave_ladder,
    read_ladder,
    schedule_ladder,
)
from arena.operations.competitions.versions_to_enter import VersionToEnter
from arena.operations.versions import retire_version
from arena.queue.job import Job
from arena.queue.signing_key import made_key
from arena.store import tokens
from arena.store.data_folder import DataFolder
from arena.store.queries import competitions, ladder_named
from arena.store.schema import CompetitionState, Ladder, Role
from arena.store.session import Store
from arena.store.versions import add_version
from arena.views.ladders.ladder import JobCounts
from tests.support.asked import Asked, Asker, asked_arena
from tests.support.failing import failing
from tests.support.job_outcomes import outcome_of
from tests.support.stored_matches import BOTS
from tests.support.visitor import Answer, Visitor

JOBS = 4
OVER: Final = CompetitionState.OVER
RUNNING: Final = CompetitionState.RUNNING


@pytest.fixture
def rng(seed: int) -> Random:
    return Random(seed)


@pytest.fixture
async def arena(store: Store, data: DataFolder, rng: Random) -> AsyncIterator[Asked]:
    """An arena on whose ladder main two bots have played."""
    with store.writing() as session:
        main = ladder_named(session, "main")
        for bot, owner in BOTS.items():
            version = "a" * 64 if owner == "Ann" else "b" * 64
            manifest = {"games": ["xeri"]}
            add_version(session, bot=bot, owner=owner, version=version, manifest=manifest)
            enter(session, main, version)
    for job in due(store, rng):
        assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
    with tempfile.TemporaryDirectory(prefix="asked-", dir="/tmp") as sockets:
        async with asked_arena(store, data, Path(sockets)) as asked:
            yield asked


def due(store: Store, rng: Random, ladder: str = "main") -> list[Job]:
    """Returns new jobs of a ladder."""
    with store.writing() as session:
        return LadderJobs(session, ladder_named(session, ladder), rng).make(session, JOBS)


@pytest.fixture
def organiser(arena: Asked) -> Asker:
    return arena.asker("Org", Role.ORGANISER)


def moment(hours: float) -> str:
    """Returns the moment in so many hours."""
    return rfc3339(datetime.now(UTC) + timedelta(hours=hours))


def set_back(store: Store, name: str) -> None:
    """Lets the moment in this column have come."""
    with store.writing() as session:
        setattr(ladder_named(session, "main"), name, datetime.now(UTC) - timedelta(seconds=1))


def row(store: Store) -> Ladder:
    with store.reading() as session:
        return ladder_named(session, "main")


async def test_a_ladder_plays_from_its_start_to_its_end(
    arena: Asked, organiser: Asker, rng: Random
) -> None:
    store = arena.store
    found = await organiser.ask(
        schedule_ladder, "main", starts_at=moment(1), submit_until=moment(2), ends_at=moment(3)
    )
    assert found.obstacle.startswith("The ladder main starts at 20")
    assert due(store, rng) == []
    check_takes_submissions(row(store))
    set_back(store, "starts_at")
    playing = due(store, rng)
    assert len(playing) == JOBS
    set_back(store, "submit_until")
    with failing(Kind.NOT_NOW, "The ladder main took submissions until 20"):
        check_takes_submissions(row(store))
    assert Recorder(store).record(outcome_of(playing[0], rng)) == Recorded()
    set_back(store, "ends_at")
    with failing(Kind.NOT_NOW, "The ladder main is over"):
        check_takes_submissions(row(store))
    assert due(store, rng) == []
    over = await organiser.ask(read_ladder, "main")
    assert (over.state, over.obstacle) == (
        OVER,
        "The ladder main is over, and its standings are final.",
    )
    assert over.jobs == JobCounts(queued=0, recorded=JOBS + 1, parked=JOBS - 1)
    assert Recorder(store).record(outcome_of(playing[1], rng)) == AlreadySettled()
    with store.reading() as session:
        assert "main" not in {one.name for one in competitions(session)}


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"ends_at": "soon"}, "ends_at", "ends_at is a day or a moment"),
    ({"starts_at": "2030-02-01", "ends_at": "2030-01-31"}, "ends_at", "later than starts_at"),
    (
        {"submit_until": "2030-02-01", "ends_at": "2030-01-31"},
        "submit_until",
        "must not be later than ends_at",
    ),
]


@pytest.mark.parametrize(("dates", "field", "sentence"), WRONG)
async def test_dates_are_in_order(
    arena: Asked, organiser: Asker, dates: dict[str, str], field: str, sentence: str
) -> None:
    refused = await organiser.refused(schedule_ladder, "main", **dates)
    assert (refused.kind, refused.field, sentence in refused.sentence) == (
        Kind.WRONG_INPUT,
        field,
        True,
    )
    assert (await organiser.ask(read_ladder, "main")).season == ""


async def test_dates_that_are_not_given_stay(arena: Asked, organiser: Asker) -> None:
    await organiser.ask(schedule_ladder, "main", starts_at="2020-01-01", ends_at="2100-01-31")
    found = await organiser.ask(schedule_ladder, "main", submit_until="2100-01-01T07:07Z")
    assert found.season == (
        "starts 2020-01-01 00:00 UTC, takes submissions until 2100-01-01 07:07 UTC,"
        " ends 2100-02-01 00:00 UTC"
    )
    found = await organiser.ask(schedule_ladder, "main", starts_at="", ends_at="")
    assert (found.starts_at, found.ends_at) == (None, None)
    assert found.submit_until is not None


async def test_the_standings_of_a_closed_ladder_are_final(
    arena: Asked, organiser: Asker, rng: Random
) -> None:
    due(arena.store, rng)
    closed = await organiser.ask(change_ladder, "main", OVER)
    assert (closed.state, closed.jobs.queued, closed.jobs.parked) == (OVER, 0, JOBS)
    places = [(one.bot, one.place, one.mu) for one in closed.ratings]
    await arena.asker("Ann").ask(retire_version, "ann-bot", 1)
    later = await organiser.ask(read_ladder, "main")
    assert [(one.bot, one.place, one.mu) for one in later.ratings] == places
    for operation, arguments in (
        (change_ladder, ("main", RUNNING)),
        (schedule_ladder, ("main",)),
        (enter_ladder, ("main", (VersionToEnter(bot="bob-bot"),))),
        (leave_ladder, ("main", "bob-bot")),
        (change_ladder, ("main", OVER)),
    ):
        refused = await organiser.refused(operation, *arguments)
        assert (refused.kind, refused.field) == (Kind.NOT_NOW, "ladder")
        assert "The ladder main is over." in refused.sentence


async def test_the_next_season_has_the_same_terms_and_versions_and_new_ratings(
    arena: Asked, organiser: Asker, rng: Random
) -> None:
    before = await organiser.ask(read_ladder, "main")
    season = await organiser.ask(begin_season, "main", ends_at="2100-01-31")
    terms = (
        *("game", "options", "seats", "format", "partners", "bank_ms", "increment_ms"),
        *("draw_probability", "fault_quota", "rules_version"),
    )
    for term in terms:
        assert getattr(season, term) == getattr(before, term), term
    assert (season.ladder, season.state, season.follows) == ("main-2", RUNNING, "main")
    assert {one.bot for one in season.ratings} == set(BOTS)
    assert {(one.mu, one.matches) for one in season.ratings} == {(25.0, 0)}
    assert season.ends_at == datetime(2100, 2, 1, tzinfo=UTC)
    final = await organiser.ask(read_ladder, "main")
    assert (final.state, final.followed_by, final.matches) == (OVER, "main-2", JOBS)
    assert [(one.bot, one.place, one.mu) for one in final.ratings] == [
        (one.bot, one.place, one.mu) for one in before.ratings
    ]
    assert len(due(arena.store, rng, "main-2")) == JOBS
    twice = await organiser.refused(begin_season, "main")
    assert twice.sentence == "The next season of main is main-2 already."
    assert (await organiser.ask(begin_season, "main-2")).ladder == "main-3"
    taken = await organiser.refused(begin_season, "main-3", "other")
    assert taken.kind is Kind.TAKEN
    assert (await organiser.ask(read_ladder, "main-3")).state is RUNNING


async def test_a_closed_ladder_keeps_its_page_and_leaves_home_page_and_forms(
    arena: Asked,
) -> None:
    made_key(arena.data.pages_key)
    with arena.store.writing() as session:
        org = tokens.create_token(session, "Org", Role.ORGANISER)[1]

    def visited() -> list[Answer]:
        visitor = Visitor(f"http://{arena.address}").log_in(org)
        return [
            visitor.get("/ladders/main"),
            visitor.get("/do/begin_season?ladder=main"),
            visitor.post("/do/begin_season", {"ladder": "main"}),
            visitor.get("/ladders/main"),
            visitor.get("/ladders"),
            visitor.get("/"),
            visitor.get("/own/submit"),
            visitor.post("/do/change_ladder", {"ladder": "main-2", "state": "over"}),
            visitor.get("/ladders/main-2"),
        ]

    page, form, begun, final, listed, home, submit, closed, second = await asyncio.to_thread(
        visited
    )
    assert 'href="/do/change_ladder?ladder=main&amp;state=over"' in page.text
    assert "Begin the next season of the ladder main?" in form.text
    assert (begun.status, begun.location) == (303, "/ladders/main")
    assert "its standings are final" in final.text
    assert 'href="/ladders/main-2">Next season' in final.text
    assert "state=over" not in final.text
    assert "Ladders that are over" in listed.text
    for shown in (home, submit):
        assert "main-2" in shown.text
        assert not re.search(r'<(h3|option)[^>]*>(<a href="/ladders/main">)?main<', shown.text)
    assert closed.status == 303
    assert "its standings are final" in second.text
