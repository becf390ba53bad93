"""Tournaments that start by themselves, and the check-in before, by a clock that tests set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from arena.errors import Kind
from arena.league.tournament import (
    TournamentJobs,
    change_state,
    check,
    check_in,
    enter_tournament,
    leave_tournament,
    schedule,
    tournament_document,
)
from arena.store.queries import tournament_named
from arena.store.schema import CompetitionState, Role
from arena.store.session import Store
from arena.store.texts import record_text
from arena.store.tokens import create_token
from arena.tournament import TournamentTerms
from arena.views.tournaments.tournament import Tournament
from tests.support.failing import failing
from tests.support.new_tournament import new_tournament
from tests.support.played_competitions import play, tournament_jobs, version

CUP = "cup"
NOW = datetime(2026, 7, 7, 16, 0, tzinfo=UTC)
START = NOW + timedelta(hours=2)
OPENS = START - timedelta(minutes=30)
State = CompetitionState


@dataclass
class Wall:
    """A time of day that tests set."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


def scheduled(store: Store, *bots: str, minutes: int = 30, **terms: Any) -> None:
    """A tournament in which ann, bob and cy have owners; <script> is the organiser's."""
    with store.writing() as session:
        for owner in ("Ann", "Bob", "Cy"):
            create_token(session, owner=owner, role=Role.OWNER)
        row = new_tournament(session, CUP, terms=TournamentTerms(groups=1, **terms))
        schedule(row, START, minutes, NOW)
        for bot in bots:
            enter_tournament(session, row, version(session, bot))


def checked_in(store: Store, *bots: str, at: datetime = OPENS) -> None:
    with store.writing() as session:
        for bot in bots:
            check_in(session, tournament_named(session, CUP), version(session, bot), at)


def source(store: Store, wall: Wall) -> TournamentJobs:
    with store.reading() as session:
        return TournamentJobs(session, tournament_named(session, CUP), wall)


def look(store: Store, jobs: TournamentJobs) -> Tournament:
    """Lets the scheduler look once; returns the document."""
    with store.writing() as session:
        jobs.make(session, 0)
    return document_of(store)


def document_of(store: Store) -> Tournament:
    with store.reading() as session:
        return tournament_document(session, tournament_named(session, CUP))


def test_it_starts_by_itself_without_those_who_have_not_checked_in(store: Store, seed: int) -> None:
    scheduled(store, "ann", "bob", "<script>", "cy")
    checked_in(store, "cy", "bob")
    wall = Wall()
    jobs = source(store, wall)
    for wall.now in (NOW, START - timedelta(seconds=1)):
        assert look(store, jobs).state is State.OPEN
    wall.now = START
    started = look(store, jobs)
    assert started.state is State.RUNNING
    assert [(one.number, one.bot) for one in started.entrants] == [
        *((1, "bob"), (2, "<script>"), (3, "cy"))
    ]
    assert started.events[0].sentence == "Left out without a check-in: ann."
    play(store, tournament_jobs(store, CUP), Random(seed))
    document = document_of(store)
    assert document.state is State.OVER
    with store.reading() as session:
        records = [
            record_text(session, match.match)
            for played in document.rounds
            for table in played.tables
            for group in table.groups
            for match in group.matches
        ]
    assert check(document, records, document.chain).problems == ()
    later = document.model_copy(update={"starts_at": NOW})
    assert check(later, records).problems


def test_one_without_a_check_in_takes_all_and_waits_for_a_late_arena(store: Store) -> None:
    scheduled(store, "ann", "cy", minutes=0)
    started = look(store, source(store, Wall(START + timedelta(days=3))))
    assert (started.state, len(started.entrants)) == (State.RUNNING, 2)
    assert started.events[0].sentence == ""


def test_with_a_beacon_it_closes_its_field_by_itself(store: Store) -> None:
    scheduled(store, "ann", "cy", minutes=0, beacon="round 7")
    closed = look(store, source(store, Wall(START)))
    assert closed.problem == "Its field is closed. The deals await the value of round 7."


def test_one_with_too_few_entrants_is_called_off(store: Store) -> None:
    scheduled(store, "ann", "bob", "cy")
    checked_in(store, "cy")
    document = look(store, source(store, Wall(START)))
    assert (document.state, document.problem) == (
        State.CANCELLED,
        "Called off. The tournament cup has 1 entrant, and a table needs 2. Left out without a"
        " check-in: ann, bob.",
    )
    assert check(document, []).problems == ()


def test_owners_check_in_within_the_time_alone(store: Store) -> None:
    scheduled(store, "ann", "cy")
    for at in (OPENS - timedelta(seconds=1), START):
        with failing(
            Kind.NOT_NOW,
            match="The check-in for the tournament cup is from 2026-07-07 17:30 UTC to 2026-07-07"
            " 18:00 UTC.",
        ):
            checked_in(store, "ann", at=at)
    checked_in(store, "ann")
    checked_in(store, "ann", at=START - timedelta(seconds=1))
    assert [one.checked_in for one in document_of(store).entrants] == [True, False]
    with failing(Kind.NOT_FOUND, match="bob is not in the tournament cup"):
        checked_in(store, "bob")
    with store.writing() as session:
        row = tournament_named(session, CUP)
        leave_tournament(session, row, version(session, "cy"), "It left.")
    with failing(Kind.NOT_NOW, match="cy has left the tournament cup"):
        checked_in(store, "cy")


def test_its_organiser_cannot_start_it_but_cancel_it(store: Store) -> None:
    scheduled(store, "ann", "cy")
    with store.writing() as session:
        row = tournament_named(session, CUP)
        with failing(Kind.NOT_NOW, match="starts by itself at 2026-07-07 18:00 UTC"):
            change_state(session, row, State.RUNNING)
        change_state(session, row, State.CANCELLED)
    assert look(store, source(store, Wall(START))).state is State.CANCELLED
    with failing(Kind.NOT_NOW, match="is cancelled"):
        checked_in(store, "ann")


@pytest.mark.parametrize(
    ("starts_at", "minutes", "sentence"),
    [
        (NOW, 0, "`starts_at` is 2026-07-07 16:00 UTC, which is past"),
        (None, 5, "`check_in_minutes` is for a tournament that starts by itself"),
        (START, 10081, "`check_in_minutes` is 10081; it must be at most 10,080, a week."),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(
    store: Store, starts_at: datetime | None, minutes: int, sentence: str
) -> None:
    with store.writing() as session:
        row = new_tournament(session, CUP, terms=TournamentTerms())
        with failing(Kind.WRONG_INPUT, match=sentence):
            schedule(row, starts_at, minutes, NOW)


def test_without_a_schedule_there_is_no_check_in(store: Store) -> None:
    with store.writing() as session:
        row = new_tournament(session, CUP, terms=TournamentTerms())
        enter_tournament(session, row, version(session, "ann"))
    with failing(Kind.NOT_NOW, match="There is no check-in for the tournament cup"):
        checked_in(store, "ann")
