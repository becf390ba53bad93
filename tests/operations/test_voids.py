"""Matches declared void by organisers: by HTTP, by commands and by the pages."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.errors import Kind
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import enter
from arena.league.recorder import Recorded, Recorder
from arena.operations.competitions.ladders import read_ladder
from arena.operations.competitions.voids import unvoid_matches, void_matches
from arena.operations.matches import list_matches, read_match, read_played
from arena.queue.signing_key import made_key
from arena.store.data_folder import DataFolder
from arena.store.queries import ladder_named
from arena.store.schema import Role
from arena.store.session import Store
from arena.store.tokens import create_token
from arena.store.versions import add_version
from arena.views.matches.match_filter import MatchFilter
from tests.support.asked import Asked, Asker, asked_arena
from tests.support.job_outcomes import outcome_of
from tests.support.stored_matches import BOTS
from tests.support.visitor import Answer, Visitor

WHY = "The machine was <overloaded>."
JOBS = 6


@pytest.fixture
async def arena(store: Store, data: DataFolder, seed: int) -> AsyncIterator[Asked]:
    """An arena on whose ladder main two bots have played."""
    rng = Random(seed)
    with store.writing() as session:
        main = ladder_named(session, "main")
        for bot, owner in BOTS.items():
            version = "a" * 64 if owner == "Ann" else "b" * 64
            add_version(session, bot=bot, owner=owner, version=version, manifest={})
            enter(session, main, version)
        session.flush()
        jobs = LadderJobs(session, main, rng).make(session, JOBS)
    for job in jobs:
        assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
    with tempfile.TemporaryDirectory(prefix="asked-", dir="/tmp") as sockets:
        async with asked_arena(store, data, Path(sockets)) as asked:
            yield asked


@pytest.fixture
def organiser(arena: Asked) -> Asker:
    return arena.asker("Org", Role.ORGANISER)


async def some_match(arena: Asked) -> str:
    return (await arena.asker().ask(list_matches, limit=1)).matches[0].match


async def test_a_match_is_void_and_counts_again(arena: Asked, organiser: Asker) -> None:
    match = await some_match(arena)
    before = await organiser.ask(read_ladder, "main")
    voided = await organiser.ask(void_matches, WHY, match[:12])
    assert (voided.matches, voided.sentence) == ({"main": 1}, "1 of main")
    assert (await organiser.ask(read_match, match)).void == WHY
    assert (await arena.asker().ask(read_played, match)).record
    without = await organiser.ask(read_ladder, "main")
    assert (without.matches, without.jobs.recorded) == (JOBS - 1, JOBS - 1)
    assert without.ratings != before.ratings
    assert (await organiser.ask(list_matches, MatchFilter(void=True))).count == 1
    assert (await organiser.ask(list_matches)).count == JOBS - 1
    await organiser.ask(unvoid_matches, match)
    again = await organiser.ask(read_ladder, "main")
    unfitted = [one.model_copy(update={"fit": None}) for one in again.ratings]
    assert unfitted == [one.model_copy(update={"fit": None}) for one in before.ratings]


async def test_a_filter_chooses_what_is_void(arena: Asked, organiser: Asker) -> None:
    voided = await organiser.ask(void_matches, WHY, wanted={"bot": "ann-bot"})
    assert voided.matches == {"main": JOBS}
    assert (await organiser.ask(read_ladder, "main")).matches == 0
    assert await organiser.ask(unvoid_matches, wanted={"ladder": "main"}) == voided
    assert (await organiser.ask(read_ladder, "main")).matches == JOBS


REFUSED: list[tuple[dict[str, Any], Kind, str]] = [
    ({}, Kind.WRONG_INPUT, "Name one match, or choose matches by a filter"),
    ({"wanted": {"order": "latest"}}, Kind.WRONG_INPUT, "Name one match, or choose"),
    ({"match": "x", "wanted": {"bot": "ann-bot"}}, Kind.WRONG_INPUT, "Name one match, or choose"),
    ({"match": "nothing"}, Kind.NOT_FOUND, "No match begins with 'nothing'"),
    ({"wanted": {"ladder": "other"}}, Kind.NOT_FOUND, "The filter chooses no matches that count"),
    ({"wanted": {"ladder": "nowhere"}}, Kind.NOT_FOUND, "no ladder 'nowhere'"),
    ({"wanted": {"colour": "red"}}, Kind.WRONG_INPUT, "cannot be chosen by 'colour'"),
    ({"reason": " ", "match": "x"}, Kind.WRONG_INPUT, "`reason` is wrong: it is empty"),
]


@pytest.mark.parametrize(("given", "kind", "sentence"), REFUSED)
async def test_what_cannot_be_void_is_refused_in_a_sentence(
    arena: Asked, organiser: Asker, given: dict[str, Any], kind: Kind, sentence: str
) -> None:
    refused = await organiser.refused(void_matches, **{"reason": WHY} | given)
    assert (refused.kind, sentence in refused.sentence) == (kind, True), refused.sentence
    assert (await organiser.ask(read_ladder, "main")).matches == JOBS


async def test_nothing_is_void_or_counts_twice(arena: Asked, organiser: Asker) -> None:
    match = await some_match(arena)
    refused = await organiser.refused(unvoid_matches, match)
    assert (refused.kind, refused.sentence) == (Kind.NOT_NOW, f"The match {match} is not void.")
    await organiser.ask(void_matches, WHY, match)
    refused = await organiser.refused(void_matches, "Another reason.", match)
    assert refused.sentence == f"The match {match} is void already: {WHY}"
    assert (await organiser.ask(read_match, match)).void == WHY


async def test_organisers_declare_matches_void_on_their_pages(arena: Asked) -> None:
    match = await some_match(arena)
    made_key(arena.data.pages_key)
    with arena.store.writing() as session:
        texts = {role: create_token(session, "Cid", role)[1] for role in Role}

    def visited() -> list[Answer]:
        origin = f"http://{arena.address}"
        organiser = Visitor(origin).log_in(texts[Role.ORGANISER])
        owner = Visitor(origin).log_in(texts[Role.OWNER])
        fields = {"match": match, "reason": WHY}
        return [
            organiser.get(f"/matches/{match}"),
            organiser.get(f"/do/void_matches?match={match}"),
            owner.get(f"/matches/{match}"),
            owner.post("/do/void_matches", fields),
            organiser.post("/do/void_matches", fields),
            Visitor(origin).get(f"/matches/{match}"),
            Visitor(origin).get("/matches?void=yes"),
            organiser.post("/do/unvoid_matches", {"match": match}),
            Visitor(origin).get(f"/matches/{match}"),
        ]

    page, form, of_owner, refused, voided, void, listed, unvoided, again = await asyncio.to_thread(
        visited
    )
    assert f'href="/do/void_matches?match={match}"' in page.text
    assert 'name="reason"' in form.text
    assert "/do/void_matches" not in of_owner.text
    assert refused.status == 403
    assert (voided.status, voided.location) == (303, f"/matches/{match}")
    assert "Void: The machine was &lt;overloaded&gt;." in void.text
    assert "void: The machine was &lt;overloaded&gt;." in listed.text
    assert unvoided.status == 303
    assert "Void:" not in again.text
