"""Analyses by the arena: who may request them and look at them, and of which matches."""

from __future__ import annotations

import asyncio

import pytest

from arena.errors import Kind
from arena.league.analyses import analysis_jobs
from arena.operations.matches import request_analysis, show_analysis
from arena.records import seal
from arena.store import schema
from arena.store.schema import Role
from arena.store.session import Store
from arena.store.texts import packed
from arena.store.tokens import create_token
from arena.views.matches.analysis import Analysis, AnalysisState
from sevens.record.v1.match_record_pb2 import MatchRecord
from tests.support.asked import Asked
from tests.support.command_line import ran
from tests.support.job_outcomes import body_of
from tests.support.played_matches import played
from tests.support.stored_matches import MATCH
from tests.support.weighed_matches import weighed_match


def store_record(store: Store, record: MatchRecord) -> None:
    with store.writing() as session:
        session.get_one(schema.Record, MATCH).body = body_of(seal(record).record)


def store_analysis(store: Store, text: str) -> None:
    with store.writing() as session:
        session.add(schema.Analysis(match=MATCH, job="j", owner="Ann", body=packed(text)))


@pytest.fixture
def record(arena: Asked) -> MatchRecord:
    record = MatchRecord()
    record.CopyFrom(played("xeri", deals=1).record)
    record.match_id = MATCH
    store_record(arena.store, record)
    return record


async def test_contestants_request_one_and_everybody_sees_it(
    arena: Asked, record: MatchRecord
) -> None:
    visitor = arena.asker()
    assert (await visitor.ask(show_analysis, "m-")).state is AnalysisState.NONE
    assert (await arena.asker("Eve").ask(request_analysis, "m-")).state is AnalysisState.WAITING
    assert (await visitor.ask(show_analysis, MATCH)).state is AnalysisState.WAITING
    analysis = Analysis(match=MATCH, game="xeri", budget=1, seed="x", plays=(), decisions=())
    with arena.store.writing() as session:
        row = session.get_one(schema.Analysis, MATCH)
        assert row.owner == "Eve"
        row.body = packed(analysis.model_dump_json())
    for stored in (
        await visitor.ask(show_analysis, MATCH),
        await arena.asker("Org", Role.ORGANISER).ask(request_analysis, MATCH),
    ):
        assert (stored.state, stored.analysis) == (AnalysisState.DONE, analysis)


async def test_requests_at_the_same_time_make_one(arena: Asked, record: MatchRecord) -> None:
    askers = [arena.asker(name) for name in ("Ann", "Bob", "Eve")]
    stored = await asyncio.gather(*(one.ask(request_analysis, MATCH) for one in askers))
    assert {one.state for one in stored} == {AnalysisState.WAITING}


async def test_bounds_are_for_owners_and_not_for_organisers(
    arena: Asked, record: MatchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_jobs, "MOST_OPEN", 0)
    refused = await arena.asker("Ann").refused(request_analysis, MATCH)
    assert (refused.kind, refused.field) == (Kind.TOO_MANY, "match")
    await arena.asker("Org", Role.ORGANISER).ask(request_analysis, MATCH)
    assert (await arena.asker("Ann").ask(request_analysis, MATCH)).state is AnalysisState.WAITING


async def test_a_match_that_cannot_be_analysed_is_refused_with_a_sentence(
    arena: Asked, record: MatchRecord
) -> None:
    ann = arena.asker("Ann")
    assert (await ann.refused(request_analysis, "x")).kind is Kind.NOT_FOUND
    record.rules_version = 99
    store_record(arena.store, record)
    assert "version 99 of the rules" in (await ann.refused(request_analysis, MATCH)).sentence
    with arena.store.writing() as session:
        session.add(schema.VoidMatch(match=MATCH, reason="The power failed."))
    void = await ann.refused(request_analysis, MATCH)
    assert (void.kind, void.field) == (Kind.NOT_NOW, "match")
    assert f"Match {MATCH} is void, and is not analysed: The power failed." in void.sentence
    with arena.store.writing() as session:
        session.delete(session.get_one(schema.VoidMatch, MATCH))
        session.delete(session.get_one(schema.Record, MATCH))
    assert (await ann.refused(request_analysis, MATCH)).kind is Kind.GONE


async def test_nothing_is_shown_while_others_may_play_the_same_deals(
    arena: Asked, record: MatchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.operations.readable.in_play", lambda session, ids: frozenset(ids))
    for operation in (request_analysis, show_analysis):
        refused = await arena.asker("Ann").refused(operation, MATCH)
        assert (refused.kind, "still to be played" in refused.sentence) == (Kind.FORBIDDEN, True)
    organiser = arena.asker("Org", Role.ORGANISER)
    assert (await organiser.ask(show_analysis, MATCH)).state is AnalysisState.NONE


async def test_a_damaged_one_is_refused_with_a_sentence(arena: Asked, record: MatchRecord) -> None:
    await arena.asker("Ann").ask(request_analysis, MATCH)
    with arena.store.writing() as session:
        session.get_one(schema.Analysis, MATCH).body = b"no JSON"
    refused = await arena.asker().refused(show_analysis, MATCH)
    assert (refused.kind, f"The analysis of match {MATCH} is damaged" in refused.sentence) == (
        Kind.UNUSABLE,
        True,
    )


async def test_one_from_before_exact_play_is_shown(arena: Asked, record: MatchRecord) -> None:
    analysis = weighed_match(record, blunders=0)
    every = {"decisions": {"__all__": {"exact"}}}
    store_analysis(arena.store, analysis.model_dump_json(exclude=every))
    assert (await arena.asker().ask(show_analysis, MATCH)).analysis == analysis


async def test_the_command_prints_what_the_arena_has_found(
    arena: Asked, record: MatchRecord
) -> None:
    with arena.store.writing() as session:
        token = create_token(session, "Ann", Role.OWNER)[1]
    analysis = Analysis(match=MATCH, game="xeri", budget=1, seed="x", plays=(), decisions=())
    store_analysis(arena.store, analysis.model_dump_json())
    asked = ("analyse", MATCH, "--on-arena", "--json")
    found = await asyncio.to_thread(ran, *asked, server=arena.address, token=token)
    assert found.json == analysis.model_dump(mode="json")


async def test_review_takes_the_arenas_analysis_of_that_budget_and_seed(
    arena: Asked, record: MatchRecord
) -> None:
    analysis = weighed_match(record, blunders=3)
    store_analysis(arena.store, analysis.model_dump_json())
    asked = ("review", MATCH, "--seat", 1, "--worst", 2, "--json", "--budget")
    found = await asyncio.to_thread(ran, *asked, 60, "--seed", "chosen", server=arena.address)
    worst = tuple(one for one in analysis.decisions if one.mark)[:2]
    shown = analysis.model_copy(update={"plays": analysis.plays[1:], "decisions": worst})
    assert found.json == shown.model_dump(mode="json")
    other = await asyncio.to_thread(ran, *asked, 1, "--seed", "chosen", server=arena.address)
    assert other.json["budget"] == 1
