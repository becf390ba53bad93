"""Comparisons: who may ask for what, and what is refused."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from arena.errors import Kind
from arena.league.comparison import ComparisonJobs
from arena.league.recorder import Recorded, Recorder
from arena.operations.competitions.comparisons import (
    ComparedVersion,
    change_comparison,
    create_comparison,
    list_comparison_groups,
    list_comparisons,
    read_certificate,
    read_comparison,
)
from arena.statistics import Verdict
from arena.store.data_folder import DataFolder
from arena.store.queries import comparison_named
from arena.store.schema import CompetitionState, Role
from arena.store.session import Store
from arena.store.versions import add_version
from arena.views.comparisons.certificate import Certificate
from arena.views.comparisons.plan import Mode
from tests.support.asked import Asked, Asker, asked_arena
from tests.support.job_outcomes import outcome_of

State = CompetitionState


def asked(new: int = 2, old: int = 1, bot: str = "random", **terms: Any) -> dict[str, Any]:
    """Returns the arguments that create a comparison."""
    versions = {"new": ComparedVersion(bot, new), "old": ComparedVersion(bot, old)}
    return {"game": "xeri", **versions, **terms}


def add_versions(store: Store, bot: str, owner: str, *digits: str) -> None:
    with store.writing() as session:
        for digit in digits:
            add_version(session, bot=bot, owner=owner, version=digit * 64, manifest={})


@pytest.fixture
def two_versions(arena: Asked) -> Asked:
    """Two versions of a bot of Ann's."""
    add_versions(arena.store, "random", "Ann", "1", "2")
    return arena


async def created(asker: Asker, **arguments: Any) -> str:
    return (await asker.ask(create_comparison, **arguments)).comparison


async def test_owners_compare_their_own_and_everybody_reads(two_versions: Asked) -> None:
    ann, visitor = two_versions.asker("Ann"), two_versions.asker()
    comparison = await ann.ask(create_comparison, **asked(t1=0.5, most_groups=100))
    name = comparison.comparison
    assert name.startswith("compare-")
    assert (comparison.owner, comparison.state) == ("Ann", State.RUNNING)
    assert comparison.running_now
    assert (comparison.findings.verdict, comparison.started) == (Verdict.RUNNING, 0)
    assert await ann.ask(create_comparison, **asked(t1=0.5, most_groups=100)) == comparison
    found = await visitor.ask(read_comparison, name)
    assert found == comparison
    assert found.plan.terms.t1 == 0.5
    assert (found.plan.new.number, found.plan.old.number) == (2, 1)
    assert found.secret == ""
    [listed] = (await visitor.ask(list_comparisons)).comparisons
    assert (listed.comparison, listed.new, listed.old) == (name, "random@2", "random@1")
    assert (listed.game, listed.owner, listed.running_now) == ("xeri", "Ann", True)
    assert (listed.verdict, listed.groups, listed.matches) == ("", 0, 0)
    groups = await visitor.ask(list_comparison_groups, name)
    assert (groups.groups, groups.next) == ((), None)
    for state in (State.PAUSED, State.CANCELLED):
        refused = await two_versions.asker("Bob").refused(change_comparison, name, state)
        assert refused.kind is Kind.FORBIDDEN
        changed = await ann.ask(change_comparison, name, state)
        assert (changed.state, changed.running_now) == (state, False)


async def test_an_owner_may_run_two_at_once(two_versions: Asked) -> None:
    ann, organiser = two_versions.asker("Ann"), two_versions.asker("Org", Role.ORGANISER)
    first = await created(ann, **asked(t1=0.3))
    await created(ann, **asked(t1=0.4))
    refused = await ann.refused(create_comparison, **asked(t1=0.5))
    assert refused.kind is Kind.NOT_NOW
    assert refused.sentence.startswith("2 comparisons of yours are running (compare-")
    await created(organiser, **asked(t1=0.6))
    await ann.ask(change_comparison, first, State.PAUSED)
    await created(ann, **asked(t1=0.5))
    refused = await ann.refused(change_comparison, first, State.RUNNING)
    assert refused.kind is Kind.NOT_NOW


@pytest.mark.parametrize(
    ("person", "arguments", "kind", "field", "sentence"),
    [
        ("Bob", asked(), Kind.FORBIDDEN, "", "The bot random belongs to Ann"),
        ("Ann", asked(3), Kind.NOT_FOUND, "new", "random has no version 3 that plays"),
        ("Ann", asked(old=7), Kind.NOT_FOUND, "old", "random has no version 7 that plays"),
        ("Ann", asked(1), Kind.WRONG_INPUT, "old", "are the same version"),
        ("Ann", asked(bot="rando"), Kind.NOT_FOUND, "new", "Did you mean random?"),
        ("Ann", asked(bank_ms=10**9), Kind.WRONG_INPUT, "bank_ms", "is too long"),
        ("Ann", asked(t0=0.5), Kind.WRONG_INPUT, "terms", "t1 must be larger"),
        ("Ann", asked(alpha=0.7), Kind.WRONG_INPUT, "alpha", "`alpha`: Input should be"),
        ("Ann", asked(t1=float("nan")), Kind.WRONG_INPUT, "t1", "should be a finite number"),
        ("Ann", asked(name="A!"), Kind.WRONG_INPUT, "name", "A comparison's name consists"),
        ("Ann", asked(options={"deal": "1"}), Kind.WRONG_INPUT, "options", "Did you mean deals?"),
        ("Ann", asked(options={"deals": "x"}), Kind.WRONG_INPUT, "options", "deals must be"),
        (
            "Ann",
            asked(mode=Mode.REPLACEMENT),
            Kind.WRONG_INPUT,
            "house",
            "Name at least one",
        ),
    ],
)
async def test_what_cannot_be_compared(
    two_versions: Asked,
    person: str,
    arguments: dict[str, Any],
    kind: Kind,
    field: str,
    sentence: str,
) -> None:
    refused = await two_versions.asker(person).refused(create_comparison, **arguments)
    assert (refused.kind, refused.field) == (kind, field)
    assert sentence in refused.sentence
    assert (await two_versions.asker().ask(list_comparisons)).comparisons == ()


async def test_the_other_versions_are_ones_own_or_the_organisers(two_versions: Asked) -> None:
    add_versions(two_versions.store, "house", "local", "3")
    ann = two_versions.asker("Ann")
    assert await created(ann, **(asked() | {"old": ComparedVersion("house")}))
    two_versions.asker("Bob")  # who is a contestant by their token
    refused = await ann.refused(
        create_comparison, **(asked() | {"old": ComparedVersion("bob-bot")})
    )
    assert "The bot bob-bot belongs to Bob, not to you." in refused.sentence


@pytest.mark.parametrize("state", [State.OVER, State.OPEN])
async def test_a_comparison_is_never_made_over_by_hand(
    two_versions: Asked, state: CompetitionState
) -> None:
    ann = two_versions.asker("Ann")
    name = await created(ann, **asked())
    refused = await ann.refused(change_comparison, name, state)
    assert refused.sentence == "A comparison becomes one of running, paused, cancelled."
    refused = await ann.refused(change_comparison, "compare", State.PAUSED)
    assert (refused.kind, refused.field) == (Kind.NOT_FOUND, "comparison")


@pytest.fixture
async def decided(two_versions: Asked) -> tuple[Asked, str]:
    """A comparison of 60 groups, which bring no verdict before."""
    ann = two_versions.asker("Ann")
    terms = asked(t1=0.02, most_groups=60, options={"deals": "1"})
    name = await created(ann, **terms)
    play(two_versions.store, name)
    return two_versions, name


def play(store: Store, name: str) -> None:
    """Plays a comparison to its verdict."""
    recorder, rng = Recorder(store), Random(7)
    with store.reading() as session:
        source = ComparisonJobs(session, comparison_named(session, name))
    while True:
        with store.writing() as session:
            jobs = source.make(session, 8)
            if source.over(session):
                return
        for job in jobs:
            assert recorder.record(outcome_of(job, rng)) == Recorded()


async def test_a_decided_one_is_listed_with_its_verdict(decided: tuple[Asked, str]) -> None:
    arena, name = decided
    comparison = await arena.asker().ask(read_comparison, name)
    [listed] = (await arena.asker().ask(list_comparisons)).comparisons
    assert (comparison.state, comparison.running_now) == (State.OVER, False)
    assert comparison.findings.verdict is Verdict.UNDECIDED
    assert (listed.verdict, listed.sentence) == ("undecided", comparison.sentence)
    assert (listed.groups, listed.matches) == (60, comparison.matches) == (60, 120)
    assert len(comparison.secret) == 64


async def test_the_groups_of_all_pages_are_those_of_the_certificate(
    decided: tuple[Asked, str],
) -> None:
    arena, name = decided
    reader = arena.asker("Rea", Role.READER)
    certificate = await reader.ask(read_certificate, name)
    assert (certificate.comparison, len(certificate.groups)) == (name, 60)
    groups, after, sizes = [], 0, []
    while after is not None:
        page = await reader.ask(list_comparison_groups, name, after=after, limit=25)
        groups += page.groups
        sizes.append(len(page.groups))
        after = page.next  # type: ignore[assignment]
    assert (sizes, tuple(groups)) == ([25, 25, 10], certificate.groups)
    assert all(len(group.matches) == 2 for group in groups)
    beyond = await reader.ask(list_comparison_groups, name, after=60)
    assert (beyond.groups, beyond.next) == ((), None)


async def test_before_the_verdict_there_is_no_certificate(two_versions: Asked) -> None:
    name = await created(two_versions.asker("Ann"), **asked())
    refused = await two_versions.asker("Ann").refused(read_certificate, name)
    assert (refused.kind, refused.field) == (Kind.NOT_NOW, "comparison")
    assert refused.sentence == (
        f"The comparison {name} has no verdict yet, so there is nothing to certify."
    )
    await two_versions.asker("Ann").ask(change_comparison, name, State.CANCELLED)
    assert (await two_versions.asker().refused(read_certificate, name)).kind is Kind.NOT_NOW


async def test_the_body_is_the_certificate_of_the_file(decided: tuple[Asked, str]) -> None:
    arena, name = decided
    async with httpx.AsyncClient(base_url=f"http://{arena.address}/api") as client:
        answer = await client.get(f"/comparisons/{name}/certificate")
    certificate = Certificate.model_validate_json(answer.content)
    assert certificate == await arena.local().ask(read_certificate, name)
    assert answer.json() == certificate.model_dump(mode="json")


async def test_an_arena_that_runs_others_does_not_run_it(
    store: Store, data: DataFolder, tmp_path: Path
) -> None:
    add_versions(store, "random", "Ann", "1", "2")
    async with asked_arena(store, data, tmp_path, only=["main"]) as arena:
        comparison = await arena.asker("Ann").ask(create_comparison, **asked())
        assert (comparison.state, comparison.running_now) == (State.RUNNING, False)
        [listed] = (await arena.asker().ask(list_comparisons)).comparisons
        assert not listed.running_now
