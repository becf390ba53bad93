"""A void group is played again, as long as nothing has followed from it."""

from __future__ import annotations

from random import Random

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.league.tournament import (
    change_state,
    check,
    enter_tournament,
    played_jobs,
    tournament_document,
)
from arena.league.voids import unvoid_jobs, void_jobs
from arena.store.queries import tournament_named
from arena.store.remote_bots import renew_token
from arena.store.schema import CompetitionState, TournamentEventKind, TournamentGroup
from arena.store.session import Store
from arena.store.texts import record_text
from arena.tournament import TournamentTerms
from arena.views.tournaments.tournament import Tournament
from tests.support.failing import failing
from tests.support.new_tournament import new_tournament
from tests.support.played_competitions import play, record, tournament_jobs, version

WHY = "The machine was overloaded."
BOTS = ("ann", "bob", "cy", "dan")


@pytest.fixture
def rng(seed: int) -> Random:
    return Random(seed)


@pytest.fixture
def cup(store: Store) -> str:
    """A Swiss of two rounds that has started."""
    with store.writing() as session:
        terms = TournamentTerms(format="swiss", rounds=2)
        row = new_tournament(session, "cup", terms=terms)
        for bot in BOTS:
            enter_tournament(session, row, version(session, bot))
        change_state(session, row, CompetitionState.RUNNING)
    return "cup"


def document_of(store: Store) -> tuple[Tournament, list[str]]:
    with store.reading() as session:
        found = tournament_document(session, tournament_named(session, "cup"))
        matches = [
            match.match
            for played in found.rounds
            for table in played.tables
            for group in table.groups
            for match in group.matches
        ]
        return found, [record_text(session, match) for match in matches]


def test_a_table_plays_its_void_group_again_and_the_file_is_verified(
    store: Store, cup: str, rng: Random
) -> None:
    due = tournament_jobs(store, cup)
    with store.writing() as session:
        first = due(session)
    record(store, first, rng)
    with store.writing() as session:
        assert void_jobs(session, {first[0].job_id}, WHY) == {cup: 2}
    found, records = document_of(store)
    assert not check(found, records).problems
    play(store, due, rng)
    found, records = document_of(store)
    checked = check(found, records, published=found.chain)
    assert not checked.problems
    assert any("1 groups that were played again" in one for one in checked.asserted)
    assert found.state is CompetitionState.OVER
    played = [group.job for one in found.rounds for table in one.tables for group in table.groups]
    assert len(played) == len(set(played)) == 8
    assert first[0].job_id not in played
    [event] = [one for one in found.events if one.kind is TournamentEventKind.VOIDED]
    assert (event.round, WHY in event.sentence) == (1, True)
    without = found.model_copy(
        update={"events": tuple(one for one in found.events if one is not event)}
    )
    assert check(without, records).problems


def test_a_table_is_chosen_by_its_number_and_its_groups(
    store: Store, cup: str, rng: Random
) -> None:
    due = tournament_jobs(store, cup)
    with store.writing() as session:
        first = due(session)
    record(store, first[:3], rng)
    with store.reading() as session:
        row = tournament_named(session, cup)
        own = {
            group.job: (group.table, group.number)
            for group in session.scalars(sa.select(TournamentGroup))
        }
        waiting, number = own[first[3].job_id]
        [other] = {table for table, _ in own.values()} - {waiting}
        of_other = {job for job, (table, _) in own.items() if table == other}
        assert played_jobs(session, row, other) == of_other
        [one] = played_jobs(session, row, other, 1)
        assert own[one] == (other, 1)
        with failing(Kind.NOT_NOW, f"has no result of group {number} yet"):
            played_jobs(session, row, waiting)
        with failing(Kind.NOT_FOUND, "Table 7 of round 1 of the tournament cup has begun no group"):
            played_jobs(session, row, 7)
        with failing(Kind.NOT_FOUND, "has begun no group 9"):
            played_jobs(session, row, other, 9)


def test_what_others_follow_from_stays(store: Store, cup: str, rng: Random) -> None:
    due = tournament_jobs(store, cup)
    with store.writing() as session:
        first = due(session)
    record(store, first, rng)
    with store.writing() as session:
        second = due(session)
    assert second

    before = document_of(store)[0].rounds[0]
    paired = failing(Kind.NOT_NOW, "Round 2 of the tournament cup has been paired by the results")
    with paired, store.writing() as session:
        void_jobs(session, {first[0].job_id}, WHY)
    record(store, second, rng)
    play(store, due, rng)
    over = failing(Kind.NOT_NOW, "The tournament cup is over, so its matches stay")
    with over, store.writing() as session:
        void_jobs(session, {first[0].job_id}, WHY)
    assert document_of(store)[0].rounds[0] == before


def test_void_groups_stay_void(store: Store, cup: str, rng: Random) -> None:
    with store.writing() as session:
        [one, *_] = tournament_jobs(store, cup)(session)
    record(store, [one], rng)
    with store.writing() as session:
        void_jobs(session, {one.job_id}, WHY)
    again = failing(Kind.NOT_NOW, "the void matches are played again")
    with again, store.writing() as session:
        unvoid_jobs(session, {one.job_id})


def test_a_table_does_not_play_again_what_a_remote_bots_owner_has_seen(
    store: Store, cup: str, rng: Random
) -> None:
    with store.writing() as session:
        [one, *_] = tournament_jobs(store, cup)(session)
    record(store, [one], rng)
    with store.writing() as session:
        renew_token(session, one.entrants[0].bot)
    seen = failing(Kind.NOT_NOW, "whose owner has seen the cards")
    with seen, store.writing() as session:
        void_jobs(session, {one.job_id}, WHY)
