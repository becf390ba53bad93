"""Competitions that have just begun: their first jobs, and how those are recorded."""

from __future__ import annotations

import hashlib
from random import Random

from sqlalchemy.orm import Session

from arena.league.comparison import ComparisonJobs, create_comparison
from arena.league.recorder import Recorded, Recorder
from arena.league.tournament import (
    TournamentJobs,
    change_state,
    enter_tournament,
    tournament_jobs,
)
from arena.queue.job import Job
from arena.store.schema import Comparison, CompetitionState, Tournament, Version
from arena.store.session import Store
from arena.store.versions import add_version
from arena.tournament import TournamentTerms
from arena.views.comparisons.plan import Mode
from tests.support.job_outcomes import outcome_of
from tests.support.new_tournament import new_tournament

tournament_jobs.PAIRING_WAIT_S = 60.0  # a round is paired at once, however busy the machine is

CUP, DUEL = "cup", "duel"


def swiss_round(store: Store, *, common_deals: bool) -> list[Job]:
    """Begins the tournament CUP of six bots, two at each table; returns the jobs of its first
    round."""
    with store.writing() as session:
        terms = TournamentTerms(format="swiss", rounds=2)
        tournament = new_tournament(session, CUP, terms=terms, common_deals=common_deals)
        for number in range(6):
            enter_tournament(session, tournament, _version(session, f"bot-{number}"))
        change_state(session, tournament, CompetitionState.RUNNING)
    with store.writing() as session:
        return list(TournamentJobs(session, session.get_one(Tournament, CUP)).make(session, 99))


def comparison_halves(store: Store) -> list[Job]:
    """Begins the comparison DUEL, in which a new and an old version play the same deals against
    a house bot; returns the two jobs of its first group."""
    with store.writing() as session:
        old, new, house = (_version(session, bot) for bot in ("old", "new", "bob"))
        create_comparison(
            *(session, "org", "xeri", new, old, [house]),
            name=DUEL,
            mode=Mode.REPLACEMENT,
            most_groups=12,
            options={"deals": 1},
        )
        jobs = ComparisonJobs(session, session.get_one(Comparison, DUEL)).make(session, 2)
    assert len(jobs) == 2
    return list(jobs)


def record(store: Store, *jobs: Job) -> None:
    """Records an outcome of each job, always the same."""
    recorder = Recorder(store)
    for job in jobs:
        assert recorder.record(outcome_of(job, Random(job.job_id))) == Recorded()


def _version(session: Session, bot: str) -> Version:
    digest = hashlib.sha256(bot.encode()).hexdigest()
    return add_version(session, bot=bot, owner="org", version=digest, manifest={})
