"""A data folder with competitions of every kind, played by bots that choose at random."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy.orm import Session

from arena.league.comparison import ComparisonJobs, create_comparison
from arena.league.ladder import enter
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import create_ladder
from arena.league.recorder import Recorded, Recorder
from arena.league.tournament import TournamentJobs, change_state, enter_tournament
from arena.league.tournament import tournament_jobs as pairing
from arena.queue.job import Job
from arena.store.open import open_store
from arena.store.queries import comparison_named, ladder_named, tournament_named
from arena.store.schema import CompetitionState, Format, Version
from arena.store.session import Store
from arena.store.versions import add_version
from arena.tournament import TournamentTerms
from tests.support.job_outcomes import outcome_of
from tests.support.new_tournament import new_tournament

pairing.PAIRING_WAIT_S = 60.0  # a round is paired at once, however busy the machine is

BOTS = {"ann": "Ann", "bob": "Bob", "cy": "Cy", "<script>": "</b>Eve", "x" * 40: "Ann"}
"""Bots, with their owners."""
LADDER = "main"
ROBIN, BRACKET, SHARED, TO_COME = "robin", "bracket", "shared", "to-come"
DUEL, RUNNING = "duel", "running"
SEED = 7


def play_competitions(data: Path) -> None:
    """Plays in the folder: a ladder of duplicate groups; tournaments of which two are over, one has
    common deals and is in its middle, and one has not begun; two comparisons, of which one is not
    decided."""
    store, rng = open_store(data, "write"), Random(SEED)
    create_ladder(store, LADDER, "xeri", draw_probability=0.05, format=Format.DUPLICATE)
    with store.writing() as session:
        for bot in BOTS:
            enter(session, ladder_named(session, LADDER), version(session, bot).digest)
    with store.writing() as session:
        jobs = LadderJobs(session, ladder_named(session, LADDER), rng).make(session, 6)
    record(store, jobs, rng)
    add_tournament(store, ROBIN, "round-robin")
    add_tournament(store, BRACKET, "single-elimination")
    add_tournament(store, SHARED, "swiss", common_deals=True)
    add_tournament(store, TO_COME, "single-elimination", state=CompetitionState.OPEN)
    play(store, tournament_jobs(store, ROBIN), rng)
    play(store, tournament_jobs(store, BRACKET), rng)
    # Of the tables with the same deals only one is over.
    with store.writing() as session:
        first = tournament_jobs(store, SHARED)(session)
    record(store, first[:1], rng)
    add_comparison(store, DUEL, most_groups=6)
    play(store, comparison_jobs(store, DUEL), rng)
    add_comparison(store, RUNNING, most_groups=1000)
    with store.writing() as session:
        some = comparison_jobs(store, RUNNING)(session)
    record(store, some[:-1], rng)
    store.close()


def version(session: Session, bot: str, text: str = "") -> Version:
    digest = hashlib.sha256(f"{bot}{text}".encode()).hexdigest()
    return add_version(
        session, bot=bot, owner=BOTS.get(bot, "Ann"), version=digest, manifest={"games": ["xeri"]}
    )


def add_tournament(
    store: Store,
    name: str,
    form: str,
    state: CompetitionState = CompetitionState.RUNNING,
    **terms: Any,
) -> None:
    with store.writing() as session:
        engine_terms = terms.pop("terms", {}) | {"format": form}
        tournament = new_tournament(session, name, terms=TournamentTerms(**engine_terms), **terms)
        for bot in BOTS:
            enter_tournament(session, tournament, version(session, bot))
        if state != tournament.state:
            change_state(session, tournament, state)


def add_comparison(store: Store, name: str, **terms: Any) -> None:
    with store.writing() as session:
        newer, older = version(session, "ann", "better"), version(session, "ann")
        chosen = {"name": name, "options": {"deals": 1}} | terms
        create_comparison(session, "Ann", "xeri", newer, older, **chosen)


def tournament_jobs(store: Store, name: str) -> Callable[[Session], Sequence[Job]]:
    with store.reading() as session:
        source = TournamentJobs(session, tournament_named(session, name))
    return lambda session: source.make(session, 4)


def comparison_jobs(store: Store, name: str) -> Callable[[Session], Sequence[Job]]:
    with store.reading() as session:
        source = ComparisonJobs(session, comparison_named(session, name))
    return lambda session: source.make(session, 4)


def play(store: Store, due: Callable[[Session], Sequence[Job]], rng: Random) -> None:
    """Plays until nothing is due."""
    idle = 0
    while idle < 3:  # a step may only pair a round
        with store.writing() as session:
            jobs = due(session)
        idle = 0 if jobs else idle + 1
        record(store, jobs, rng)


def record(store: Store, jobs: Sequence[Job], rng: Random) -> None:
    recorder = Recorder(store)
    for job in jobs:
        assert recorder.record(outcome_of(job, rng)) == Recorded()
