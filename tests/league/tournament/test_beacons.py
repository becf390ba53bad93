"""Deals and lots that follow from a public value which nobody could know when the field closed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.league.tournament import (
    change_state,
    check,
    draw,
    enter_tournament,
    leave_tournament,
    tournament_document,
)
from arena.store.queries import tournament_named
from arena.store.schema import CompetitionState, Job, TournamentEventKind
from arena.store.session import Store
from arena.store.texts import record_text
from arena.tournament import TournamentError, TournamentTerms
from arena.views.tournaments.tournament import Tournament
from tests.support.failing import failing
from tests.support.new_tournament import new_tournament
from tests.support.played_competitions import play, tournament_jobs, version

CUP, BEACON, VALUE = "cup", "drand quicknet, round 30000000, randomness", "5f0c"
BOTS = ("ann", "bob", "cy", "dan", "eve", "fay")
State = CompetitionState
Event = TournamentEventKind


def entered(store: Store, name: str = CUP, **terms: Any) -> None:
    with store.writing() as session:
        row = new_tournament(session, name, terms=TournamentTerms(groups=1, **terms))
        for bot in BOTS:
            enter_tournament(session, row, version(session, bot))


def changed(store: Store, state: State, name: str = CUP) -> None:
    with store.writing() as session:
        change_state(session, tournament_named(session, name), state)


def drawn(store: Store, value: str = VALUE) -> None:
    with store.writing() as session:
        draw(session, tournament_named(session, CUP), value)


def document_of(store: Store, name: str = CUP) -> Tournament:
    with store.reading() as session:
        return tournament_document(session, tournament_named(session, name))


def records_of(store: Store, document: Tournament) -> list[str]:
    with store.reading() as session:
        return [
            record_text(session, match.match)
            for played in document.rounds
            for table in played.tables
            for group in table.groups
            for match in group.matches
        ]


@pytest.mark.parametrize("terms", [{"beacon": BEACON}, {"beacon": BEACON, "seed_by_lot": True}])
def test_it_is_played_once_the_value_is_drawn_and_verifies(
    store: Store, seed: int, terms: dict[str, Any]
) -> None:
    entered(store, format="single-elimination", **terms)
    changed(store, State.RUNNING)
    closed = document_of(store)
    assert (closed.state, closed.plan_digest) == (State.PAUSED, closed.plan().digest)
    assert closed.problem == f"Its field is closed. The deals await the value of {BEACON}."
    play(store, tournament_jobs(store, CUP), Random(seed))
    with store.reading() as session:
        assert session.scalars(sa.select(Job)).all() == []
    drawn(store)
    drawn(store, f" {VALUE}\n")
    play(store, tournament_jobs(store, CUP), Random(seed))
    document = document_of(store)
    assert document.state is State.OVER
    assert document.plan_digest == closed.plan_digest
    assert [one.kind for one in document.events[:4]] == [
        *(Event.STARTED, Event.STOPPED, Event.DRAWN, Event.RESUMED)
    ]
    records = records_of(store, document)
    found = check(document, records)
    assert found.problems == ()
    assert f"The value of its beacon, {BEACON}, is {VALUE}: look it up" in found.asserted[1]
    other = document.events[2].model_copy(update={"sentence": "5f0d"})
    forged = document.model_copy(
        update={"events": (*document.events[:2], other, *document.events[3:])}
    )
    assert any("seed_text is" in problem for problem in check(forged, records).problems)


def test_seeds_by_lot_follow_from_the_secret_and_the_plan(store: Store, seed: int) -> None:
    """The order of entry says nothing; who has left comes last."""
    entered(store, format="single-elimination", seed_by_lot=True)
    with store.writing() as session:
        row = tournament_named(session, CUP)
        leave_tournament(session, row, version(session, "bob"), "Its owner withdrew it.")
        row.secret = "ab" * 32
    changed(store, State.RUNNING)
    document = document_of(store)
    assert [one.bot for one in document.entrants][-1] == "bob"
    assert {one.bot for one in document.entrants} == {*BOTS}
    assert [one.bot for one in document.entrants if one.bot != "bob"] != ["ann", *BOTS[2:]]
    play(store, tournament_jobs(store, CUP), Random(seed))
    document = document_of(store)
    records = records_of(store, document)
    assert check(document, records, document.chain).problems == ()
    one, other, *rest = document.entrants
    exchanged = (
        other.model_copy(update={"number": 1}),
        one.model_copy(update={"number": 2}),
        *rest,
    )
    forged = document.model_copy(update={"entrants": exchanged})
    assert "The seeds do not follow from the lots." in check(forged, records).problems


def test_until_the_value_is_drawn_the_field_stays_as_it_is(store: Store) -> None:
    entered(store, format="swiss", beacon=BEACON)
    with failing(Kind.NOT_NOW, match="is still open; start it before the value"):
        drawn(store)
    changed(store, State.RUNNING)
    with failing(Kind.NOT_NOW, match="is closed until the value of its beacon is drawn"):
        changed(store, State.RUNNING)
    with store.writing() as session:
        row = tournament_named(session, CUP)
        with failing(Kind.NOT_NOW, match="is closed until"):
            leave_tournament(session, row, version(session, "ann"), "It left.")
        with failing(Kind.NOT_NOW, match="is closed until"):
            enter_tournament(session, row, version(session, "late"))
    with failing(Kind.WRONG_INPUT, match="Give the value of its beacon"):
        drawn(store, " ")
    drawn(store)
    with failing(Kind.TAKEN, match="has the value 5f0c"):
        drawn(store, "other")
    with store.writing() as session:
        row = tournament_named(session, CUP)
        assert enter_tournament(session, row, version(session, "late")).entered_round == 1


def test_without_a_beacon_there_is_nothing_to_draw(store: Store) -> None:
    entered(store)
    with failing(Kind.NOT_NOW, match="has no beacon"):
        drawn(store)


def test_tournaments_cancelled_after_their_start_are_counted_and_named(store: Store) -> None:
    entered(store, "cup-1", beacon=BEACON)
    changed(store, State.RUNNING, "cup-1")
    for name in ("cup-1", "cup-2"):
        if name == "cup-2":
            entered(store, name)
        changed(store, State.CANCELLED, name)
    entered(store)
    changed(store, State.RUNNING)
    document = document_of(store)
    assert document.events[0].sentence == (
        "1 tournament of xeri cancelled after the start, before this one: cup-1."
    )
    assert check(document, []).problems == ()


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"beacon": "two\nlines"}, "beacon"),
        ({"beacon": "x" * 201}, "beacon"),
        ({"seed_from": "main", "seed_by_lot": True}, "seed_by_lot"),
    ],
)
def test_terms_that_cannot_be_are_refused(terms: dict[str, Any], field: str) -> None:
    with pytest.raises(TournamentError) as refused:
        TournamentTerms(**terms)
    assert refused.value.field == field
