"""Ladders as people and programs ask for them: terms, tables, histories, reasons."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from arena.bots.source import Manifest
from arena.errors import Kind
from arena.league.ladder.fitted_ratings import Fits
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import enter
from arena.league.recorder import Recorded, Recorder
from arena.operations.competitions.ladders import (
    change_ladder,
    create_ladder,
    delay_ladder,
    delete_ladder,
    enter_ladder,
    explain_rating,
    leave_ladder,
    list_ladders,
    read_crosstable,
    read_curves,
    read_history,
    read_ladder,
)
from arena.operations.competitions.versions_to_enter import VersionToEnter
from arena.operations.operation import Operation, Reading
from arena.operations.versions import StoredVersion, add_versions
from arena.store.data_folder import DataFolder
from arena.store.faults import suspend
from arena.store.queries import ladder_named
from arena.store.schema import CompetitionState, Entry, Format, Job, Ladder, Partners, Rating, Role
from arena.store.session import Store
from arena.store.versions import add_version
from arena.views.ladders.ladder import JobCounts, RatedLadder
from arena.views.ladders.standing import Standing
from arena.web.live import job_shown
from tests.support.asked import Asked, asked_arena
from tests.support.job_outcomes import outcome_of
from tests.support.stored_matches import BOTS, MATCH, WORDS, digest_of

ANN, BOB = digest_of("ann-bot"), digest_of("bob-bot")
VERSIONS = ("a" * 64, "b" * 64)
JOBS = 6


@pytest.fixture
async def played(store: Store, data: DataFolder, seed: int) -> AsyncIterator[Asked]:
    """An arena on whose ladder main Ann's bot and Bob's have played, and all is rated. It runs no
    other ladder."""
    rng = Random(seed)
    with store.writing() as session:
        main = ladder_named(session, "main")
        for (bot, owner), version in zip(BOTS.items(), VERSIONS, strict=True):
            add_version(session, bot=bot, owner=owner, version=version, manifest={})
            enter(session, main, version)
        session.flush()
        jobs = LadderJobs(session, main, rng).make(session, JOBS)
    for job in jobs:
        assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
    with tempfile.TemporaryDirectory(prefix="asked-", dir="/tmp") as sockets:
        async with asked_arena(store, data, Path(sockets), only=["main"]) as asked:
            yield asked


async def test_ladders_are_listed_by_name_as_each_is_told_alone(played: Asked) -> None:
    visitor = played.asker()
    main, other = (await visitor.ask(list_ladders)).ladders
    assert (main.ladder, other.ladder) == ("main", "other")
    alone = await visitor.ask(read_ladder, "main")
    assert dict(main).items() <= dict(alone).items()
    assert [leader.bot for leader in main.leaders] == [one.bot for one in alone.ratings]
    assert (other.versions, other.entrants, other.leaders) == (0, 0, ())


async def test_a_ladder_tells_its_terms_and_whether_it_is_run_now(played: Asked) -> None:
    visitor = played.asker()
    found = await visitor.ask(read_ladder, "main")
    assert (found.game, found.rules_version, found.options) == ("xeri", 1, {"deals": "1"})
    assert (found.seats, found.format, found.partners) == (2, Format.SINGLE, Partners.ANY)
    assert (found.bank_ms, found.increment_ms) == (60_000, 200)
    assert (found.draw_probability, found.fault_quota) == (0.05, 5)
    assert (found.state, found.running_now) == (CompetitionState.RUNNING, True)
    assert (found.versions, found.entrants, found.matches) == (2, 2, JOBS)
    assert found.jobs == JobCounts(queued=0, recorded=JOBS, parked=0)
    assert (found.obstacle, found.rated_jobs, found.fitted_jobs) == ("", JOBS, None)
    with played.store.writing() as session:
        session.get_one(Ladder, "main").state = CompetitionState.PAUSED
    found = await visitor.ask(read_ladder, "main")
    assert (found.state, found.running_now) == (CompetitionState.PAUSED, False)
    assert found.obstacle == "The ladder main is paused."
    other = await visitor.ask(read_ladder, "other")
    assert "has 0 bots that can play, and needs 2" in other.obstacle
    assert (other.state, other.running_now) == (CompetitionState.RUNNING, False)
    assert other.ratings == ()


async def test_versions_stand_with_their_ratings_and_why_they_are_suspended(arena: Asked) -> None:
    with arena.store.writing() as session:
        rating = session.get_one(Rating, ("main", BOB))
        rating.mu, rating.sigma, rating.matches = 30.0, 2.0, 7
        suspend(session.get_one(Entry, ("main", ANN)), MATCH)
    found = await arena.asker().ask(read_ladder, "main")
    bob, ann = found.ratings
    assert bob == Standing(
        place=1,
        bot="bob-bot",
        number=1,
        version=BOB,
        versions_of_bot=1,
        owner="Bob",
        mu=30.0,
        sigma=2.0,
        fit=None,
        matches=7,
        faults=0,
        state="active",
        seats_taken=0,
        wins=0,
        ties=0,
        mean_rank=None,
        mean_score=None,
        recent=(),
    )
    assert bob.rating == 24.0
    assert (ann.place, ann.bot, ann.state) == (2, "ann-bot", "suspended")
    [fault] = found.suspended
    assert (fault.version, fault.match, fault.ladder) == (ANN, MATCH, "main")
    assert (fault.kind, fault.decision, fault.sentence) == ("crashed", 3, "It ended.")


@pytest.mark.parametrize(
    ("owner", "role", "words"),
    [
        ("Ann", Role.OWNER, WORDS),
        ("Orla", Role.ORGANISER, WORDS),
        ("Ann", Role.READER, ""),
        ("Bob", Role.OWNER, ""),
        ("", Role.READER, ""),
    ],
)
async def test_the_words_of_a_suspended_bot_are_for_its_owner_and_organisers(
    arena: Asked, owner: str, role: Role, words: str
) -> None:
    with arena.store.writing() as session:
        suspend(session.get_one(Entry, ("main", ANN)), MATCH)
    # An answer to one person, made a moment before, is no other person's.
    assert (await arena.local().ask(read_ladder, "main")).suspended[0].words == WORDS
    assert (await arena.asker("Org", Role.ORGANISER).ask(read_ladder, "main")).suspended[0].words
    [fault] = (await arena.asker(owner, role).ask(read_ladder, "main")).suspended
    assert (fault.sentence, fault.words) == ("It ended.", words)


async def test_an_unchanged_ladder_is_not_looked_up_again(
    played: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []

    def function(asked: Reading, ladder: str) -> RatedLadder:
        looked_up.append(ladder)
        return found(asked, ladder)

    found = read_ladder.function
    monkeypatch.setattr(read_ladder, "function", function)

    async def told(**headers: str) -> httpx.Response:
        address = f"http://{played.address}/api/ladders/main"
        return await asyncio.to_thread(httpx.get, address, headers=headers)

    first = await told()
    assert (await told()).content == first.content
    unchanged = await told(**{"If-None-Match": first.headers["ETag"]})
    assert (unchanged.status_code, looked_up) == (304, ["main"])
    with played.store.writing() as session:
        session.get_one(Ladder, "main").state = CompetitionState.PAUSED
    changed = await told(**{"If-None-Match": first.headers["ETag"]})
    assert (changed.json()["state"], looked_up) == ("paused", ["main", "main"])


async def test_the_fit_is_told_with_the_table(played: Asked) -> None:
    ann = played.asker("Ann")
    before = await ann.ask(read_ladder, "main")
    assert (before.rated_jobs, before.fitted_jobs) == (JOBS, None)
    assert [one.fit for one in before.ratings] == [None, None]
    await Fits(played.store).renew()
    after = await ann.ask(read_ladder, "main")
    assert (after.rated_jobs, after.fitted_jobs) == (JOBS, JOBS)
    fits = [one.fit for one in after.ratings if one.fit]
    assert [fit.rating for fit in fits] == pytest.approx([f.mu - 3 * f.sigma for f in fits])
    assert sum(fit.mu for fit in fits) == pytest.approx(50)


async def test_curves_and_crosstable_are_those_of_the_best(played: Asked) -> None:
    visitor = played.asker()
    table = (await visitor.ask(read_ladder, "main")).ratings
    curves = (await visitor.ask(read_curves, "main")).curves
    assert [(one.bot, one.number, one.version) for one in curves] == [
        (one.bot, one.number, one.version) for one in table
    ]
    for curve, standing in zip(curves, table, strict=True):
        assert len(curve.points) == JOBS
        assert (curve.points[-1].mu, curve.points[-1].sigma) == (standing.mu, standing.sigma)
    assert (await visitor.ask(read_curves, "main", limit=1)).curves == curves[:1]
    pairs = (await visitor.ask(read_crosstable, "main")).pairs
    assert {(one.version, one.opponent) for one in pairs} == {VERSIONS, VERSIONS[::-1]}
    assert [one.results.matches for one in pairs] == [JOBS, JOBS]


@pytest.mark.parametrize("role", [Role.READER, Role.OWNER, Role.ORGANISER])
async def test_everybody_may_know_why_a_bot_is_rated_so(played: Asked, role: Role) -> None:
    person = played.asker("Cat", role)
    [history] = (await person.ask(read_history, "ann-bot")).ladders
    found = await person.ask(explain_rating, "main", "ann-bot", limit=JOBS - 1)
    assert (found.number, found.version, found.rated_jobs) == (1, VERSIONS[0], JOBS)
    for job, change in zip(found.jobs, history.changes[: JOBS - 1], strict=True):
        assert (job.sequence, job.before, job.after) == (
            change.sequence,
            change.before,
            change.after,
        )
        assert job.matches == tuple(match.match for match in change.matches)
    assert found.rating == history.changes[0].rating
    [bob] = found.opponents
    assert (bob.bot, bob.jobs, bob.matches) == ("bob-bot", JOBS, JOBS)
    assert bob.difference == bob.points - bob.expected
    for job in found.jobs:
        [opponent] = job.opponents
        assert job.points == opponent.points
        assert opponent.win + opponent.tie + opponent.loss == pytest.approx(1)
        assert job.expected == pytest.approx(opponent.win + opponent.tie / 2)
        assert opponent.rating == pytest.approx(opponent.before.mu - 3 * opponent.before.sigma)


async def test_a_history_is_of_all_ladders_or_goes_on_with_one(played: Asked) -> None:
    ann = played.asker("Ann")
    whole = await ann.ask(read_history, "ann-bot")
    assert (whole.bot, [one.ladder for one in whole.ladders]) == ("ann-bot", ["main"])
    [first] = (await ann.ask(read_history, "ann-bot", "main", limit=4)).ladders
    [second] = (await ann.ask(read_history, "ann-bot", "main", after=first.next or 0)).ladders
    assert (*first.changes, *second.changes) == whole.ladders[0].changes
    assert second.next is None
    refused = await ann.refused(read_history, "ann-bot", after=3)
    assert (refused.kind, refused.field) == (Kind.WRONG_INPUT, "ladder")


@pytest.mark.parametrize(
    ("operation", "arguments", "field", "words"),
    [
        (read_ladder, ["mine"], "ladder", "Did you mean main?"),
        (read_curves, ["mine"], "ladder", "Did you mean main?"),
        (read_crosstable, ["mine"], "ladder", "Did you mean main?"),
        (read_history, ["ann", "main"], "bot", "Did you mean ann-bot?"),
        (read_history, ["ann"], "bot", "Did you mean ann-bot?"),
        (read_history, ["ann-bot", "mine"], "ladder", "There is no ladder 'mine'"),
        (
            read_history,
            ["ann-bot", "other"],
            "bot",
            "The bot ann-bot has never been on the ladder other.",
        ),
        (explain_rating, ["main", "ann"], "bot", "Did you mean ann-bot?"),
        (explain_rating, ["mine", "ann-bot"], "ladder", "There is no ladder 'mine'"),
        (
            explain_rating,
            ["other", "ann-bot"],
            "bot",
            "The bot ann-bot has never been on the ladder other.",
        ),
        (
            explain_rating,
            ["main", "ann-bot", 7],
            "bot",
            "The bot ann-bot has no version 7 on the ladder main, but 1.",
        ),
    ],
)
async def test_names_that_nothing_has_are_mistakes(
    arena: Asked, operation: Operation[..., Any], arguments: list[Any], field: str, words: str
) -> None:
    refused = await arena.asker("Ann").refused(operation, *arguments)
    assert (refused.kind, refused.field) == (Kind.NOT_FOUND, field)
    assert words in refused.sentence


@pytest.mark.parametrize("limit", [0, 201])
@pytest.mark.parametrize("operation", [read_curves, read_crosstable])
async def test_what_takes_long_to_find_is_bounded(
    arena: Asked, operation: Operation[..., Any], limit: int
) -> None:
    refused = await arena.asker("Ann").refused(operation, "main", limit=limit)
    assert (refused.kind, refused.field) == (Kind.WRONG_INPUT, "limit")


# Changes ------------------------------------------------------------------------------------------


async def test_an_organiser_creates_changes_and_deletes_a_ladder(played: Asked) -> None:
    organiser = played.asker("Org", Role.ORGANISER)
    both = tuple(VersionToEnter(bot=bot) for bot in BOTS)
    made = await organiser.ask(create_ladder, "new", "xeri", {"deals": "1"}, entrants=both)
    assert (made.options["deals"], made.partners, made.entrants) == ("1", Partners.ANY, 2)
    paused = await organiser.ask(change_ladder, "new", CompetitionState.PAUSED)
    assert paused.obstacle == "The ladder new is paused."
    left = await organiser.ask(leave_ladder, "new", "ann-bot")
    assert left.entrants == 1
    back = await organiser.ask(enter_ladder, "new", (VersionToEnter(bot="ann-bot", number=1),))
    assert back.entrants == 2
    assert (await organiser.ask(delete_ladder, "new")).ladder == "new"
    refused = await organiser.refused(read_ladder, "new")
    assert refused.kind is Kind.NOT_FOUND


@pytest.mark.parametrize(
    ("entrants", "field", "words"),
    [
        ([{"bot": "ann-bot"}], "bot", "needs at least 2 bots, not 1"),
        ([{"bot": "ann-bot"}, {"bot": "nobody"}], "bot", "There is no bot 'nobody'"),
        ([{"bot": "ann-bot"}, {"bot": "bob-bot", "number": 9}], "number", "has no version 9"),
        ([{"bot": "ann-bot"}] * 2, "bot", "ann-bot is given 2 times"),
    ],
)
async def test_a_ladder_is_created_with_all_entrants_or_not_at_all(
    played: Asked, entrants: list[dict[str, Any]], field: str, words: str
) -> None:
    organiser = played.asker("Org", Role.ORGANISER)
    given = tuple(VersionToEnter(**one) for one in entrants)
    refused = await organiser.refused(create_ladder, "new", "xeri", entrants=given)
    assert refused.field == field
    assert words in refused.sentence
    assert (await organiser.refused(read_ladder, "new")).kind is Kind.NOT_FOUND


@pytest.mark.parametrize(("newest_only", "playing"), [(True, 1), (False, 2)])
async def test_only_the_newest_version_of_a_bot_plays_unless_the_ladder_is_for_all(
    played: Asked, newest_only: bool, playing: int
) -> None:
    with played.store.writing() as session:
        add_version(session, bot="ann-bot", owner="Ann", version="c" * 64, manifest={})
    organiser = played.asker("Org", Role.ORGANISER)
    await organiser.ask(create_ladder, "new", "xeri", newest_only=newest_only)
    for number in (1, 2):
        entrant = VersionToEnter(bot="ann-bot", number=number)
        found = await organiser.ask(enter_ladder, "new", (entrant,))
    assert found.entrants == playing


async def test_a_ladder_has_a_delay_of_its_own(played: Asked) -> None:
    organiser = played.asker("Org", Role.ORGANISER)
    refused = await organiser.refused(delay_ladder, "main", 901)
    assert refused.field == "live_delay_s"
    for delay_s in (0, None):
        assert (await organiser.ask(delay_ladder, "main", delay_s)).live_delay_s == delay_s
        with played.store.reading() as session:
            job = session.scalars(sa.select(Job.id).where(Job.competition == "main")).first()
            assert job is not None
            assert job_shown(session, job).delay_s == delay_s


async def test_a_ladder_that_has_matches_stays_and_never_fails(played: Asked) -> None:
    organiser = played.asker("Org", Role.ORGANISER)
    refused = await organiser.refused(delete_ladder, "main")
    assert "Pause it instead" in refused.sentence
    address = f"http://{played.address}/api/ladders/main/state"
    async with httpx.AsyncClient(headers=organiser.headers) as client:
        answer = await client.put(address, json={"state": "failed"})
    assert answer.status_code == 400
    assert answer.json()["field"] == "state"


async def test_versions_are_added_only_with_their_files(played: Asked) -> None:
    organiser = played.asker("Org", Role.ORGANISER)
    manifest = Manifest(name="ghost", run=("python", "bot.py"))
    ghost = StoredVersion(bot="ghost", owner="root", version="c" * 64, manifest=manifest)
    refused = await organiser.refused(add_versions, (ghost,))
    assert refused.sentence == "The files of ghost are not in the data folder: submit it instead."
    played.data.version("c" * 64).mkdir(parents=True)
    [added] = (await organiser.ask(add_versions, (ghost,))).versions
    assert (added.bot, added.owner, added.number) == ("ghost", "root", 1)
    stolen = ghost.model_copy(update={"bot": "ann-bot", "version": "d" * 64})
    played.data.version("d" * 64).mkdir()
    assert (await organiser.refused(add_versions, (stolen,))).kind is Kind.TAKEN
