"""Formats and seeds through the store, and their files verified."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.errors import ArenaError
from arena.league.ladder import enter
from arena.league.ladder.ladders import create_ladder
from arena.league.tournament import (
    change_state,
    check,
    enter_tournament,
    leave_tournament,
    tournament_document,
)
from arena.store.queries import ladder_named, tournament_named
from arena.store.schema import CompetitionState, Job, JobState, Rating
from arena.store.session import Store
from arena.store.texts import record_text
from arena.tournament import TournamentTerms
from arena.views.tournaments.chess_report import chess_report
from arena.views.tournaments.tournament import Tournament
from tests.support.new_tournament import new_tournament
from tests.support.played_competitions import play, record, tournament_jobs, version

BOTS = ("ann", "bob", "cy", "dan", "eve", "fay")


def entered(store: Store, **terms: Any) -> None:
    with store.writing() as session:
        row = new_tournament(session, "cup", terms=TournamentTerms(**terms))
        for bot in BOTS:
            enter_tournament(session, row, version(session, bot))


def ladder_of(store: Store, *skills: tuple[str, str, float]) -> None:
    """A ladder with versions, by bot and text, of these skills."""
    create_ladder(store, "main", "xeri", draw_probability=0.05)
    with store.writing() as session:
        for bot, text, mu in skills:
            digest = version(session, bot, text).digest
            enter(session, ladder_named(session, "main"), digest)
            session.execute(sa.update(Rating).where(Rating.version == digest).values(mu=mu))


def started(store: Store) -> None:
    with store.writing() as session:
        change_state(session, tournament_named(session, "cup"), CompetitionState.RUNNING)


def document_of(store: Store) -> tuple[Tournament, list[str]]:
    with store.reading() as session:
        found = tournament_document(session, tournament_named(session, "cup"))
        return found, [
            record_text(session, match.match)
            for played in found.rounds
            for table in played.tables
            for group in table.groups
            for match in group.matches
        ]


@pytest.mark.parametrize(
    "terms",
    [
        {"format": "double-elimination"},
        {"format": "single-elimination", "third_place": True},
        {"format": "double-elimination", "pool_size": 3, "advance": 1},
        {"format": "round-robin", "seed_from": "main"},
        {"format": "swiss", "by_boards": True, "tie_breaks": ("board-points", "lot")},
    ],
)
def test_a_file_is_verified_and_one_of_other_terms_is_not(
    store: Store, seed: int, terms: dict[str, Any]
) -> None:
    ladder_of(store, ("fay", "", 40.0))
    entered(store, groups=1, **terms)
    started(store)
    play(store, tournament_jobs(store, "cup"), Random(seed))
    document, records = document_of(store)
    assert document.state is CompetitionState.OVER
    assert check(document, records, document.chain).problems == ()
    for other in (
        {"seed_from": "other"},
        {"format": "single-elimination", "third_place": False, "pool_size": 0},
        {"by_boards": not document.terms.by_boards},
    ):
        changed = {"terms": replace(document.terms, **other)}
        assert check(document.model_copy(update=changed), records).problems


def test_seeds_follow_from_the_ladder_at_the_start(store: Store) -> None:
    """eve has an older version there, dan none, and cy, the best, has left."""
    ladder_of(store, ("cy", "", 60.0), ("fay", "", 50.0), ("eve", "older", 40.0), ("ann", "", 30.0))
    entered(store, format="single-elimination", seed_from="main")
    with store.writing() as session:
        row = tournament_named(session, "cup")
        leave_tournament(session, row, version(session, "cy"), "Its owner withdrew it.")
    assert [one.bot for one in document_of(store)[0].entrants] == [*BOTS]
    started(store)
    document, records = document_of(store)
    assert [one.bot for one in document.entrants] == ["fay", "eve", "ann", "bob", "dan", "cy"]
    assert document.plan().withdrawn == {6: "Its owner withdrew it."}
    found = check(document, records)
    assert found.problems == ()
    assert "The seeds are in the order of the ladder main at the start" in found.asserted[1]


@pytest.mark.parametrize(("ladder", "game"), [("mian", "xeri"), ("main", "dingo")])
def test_a_ladder_that_says_nothing_about_the_game_is_refused(
    store: Store, ladder: str, game: str
) -> None:
    ladder_of(store)
    with store.writing() as session, pytest.raises(ArenaError) as refused:
        new_tournament(session, "cup", game, terms=TournamentTerms(seed_from=ladder))
    assert refused.value.field == "seed_from"


@pytest.mark.parametrize(
    ("format", "left", "met"), [("swiss", "-", "+"), ("round-robin", "Z", "Z")]
)
def test_a_chess_report_has_forfeits_and_no_results_that_are_annulled(
    store: Store, seed: int, format: str, left: str, met: str
) -> None:
    """ann leaves in the first round, before anything is played."""
    entered(store, groups=1, format=format)
    started(store)
    due, rng = tournament_jobs(store, "cup"), Random(seed)
    with store.writing() as session:
        [ann, *_] = jobs = due(session)  # the first round is paired
        row = tournament_named(session, "cup")
        leave_tournament(session, row, version(session, "ann"), "Its owner withdrew it.")
    record(store, [job for job in jobs if job is not ann], rng)
    with store.writing() as session:
        session.execute(
            sa.update(Job).where(Job.id == ann.job_id).values(state=JobState.PARKED, reason="Late.")
        )
    play(store, due, rng)
    document, _ = document_of(store)
    assert document.state is CompetitionState.OVER
    [opponent] = {*document.rounds[0].tables[0].entrants} - {1}
    lines = chess_report(document).splitlines()
    rows = {int(line[4:8]): line for line in lines if line.startswith("001")}
    results = {number: [*row[98::10]] for number, row in rows.items()}
    assert results[1] == [left, *"Z" * (len(document.rounds) - 1)]
    assert results[opponent][0] == met
    worth = {"1": 1, "+": 1, "U": 1, "=": 0.5}
    for one in document.standings:
        assert sum(worth.get(token, 0) for token in results[one.number]) == one.points
        assert float(rows[one.number][80:84]) == one.points
