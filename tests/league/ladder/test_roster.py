"""A league remembers who may be paired, and notices every change at its next job."""

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.ladder.field import Field
from arena.league.ladder.fitted_ratings import refit
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import enter, playing_versions, withdraw
from arena.league.ladder.roster import Roster
from arena.league.recorder import Recorded, Recorder
from arena.queue.job import Job
from arena.store.faults import suspend
from arena.store.queries import field_revision, ladder_named
from arena.store.remote_bots import renew_token, set_connected
from arena.store.schema import (
    Bot,
    CompetitionState,
    Entry,
    Ladder,
    Rating,
    Role,
    Version,
    VersionState,
)
from arena.store.session import Store
from arena.store.tokens import create_token
from arena.store.versions import add_version
from tests.support.job_outcomes import outcome_of

NewLadder = Callable[..., Ladder]

ANN = hashlib.sha256(b"ann").hexdigest()
NEWCOMER = hashlib.sha256(b"newcomer").hexdigest()
ENTER = """
import sys
from pathlib import Path
from arena.league.ladder.ladders import enter
from arena.store.open import open_store
from arena.store.queries import ladder_named
from arena.store.versions import add_version
store = open_store(Path(sys.argv[1]), "write")
with store.writing() as session:
    digest = sys.argv[2]
    add_version(session, bot="newcomer", owner="Zoe", version=digest, manifest={})
    enter(session, ladder_named(session, "main"), digest)
"""


class League:
    """A league that has been running for a while."""

    def __init__(self, store: Store, ladder: Ladder, rng: Random) -> None:
        self.store, self.rng = store, rng
        with store.reading() as session:
            self.source = LadderJobs(session, ladder, rng)
        self.play(5)

    def play(self, jobs: int) -> list[set[str]]:
        """Pairs, plays and records jobs one after the other; returns who played."""
        played = []
        for _ in range(jobs):
            with self.store.writing() as session:
                made = self.source.make(session, 1)
            for job in made:
                assert Recorder(self.store).record(outcome_of(job, self.rng)) == Recorded()
                played.append({entrant.version for entrant in job.entrants})
        return played

    def paired(self, jobs: int) -> set[str]:
        return set().union(*self.play(jobs))


@pytest.fixture
def league(store: Store, new_ladder: NewLadder, rng: Random) -> League:
    return League(store, new_ladder(options={"deals": 1}), rng)


@pytest.mark.slow
def test_what_another_process_enters_plays_next(league: League, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", ENTER, str(tmp_path), NEWCOMER], check=True)
    assert NEWCOMER in league.paired(1)
    with league.store.reading() as session:
        assert NEWCOMER in league.source.versions(session)


def retire(session: Session) -> None:
    session.get_one(Version, ANN).state = VersionState.RETIRED


def leave(session: Session) -> None:
    withdraw(session, ladder_named(session, "main"), ANN)


def be_suspended(session: Session) -> None:
    suspend(session.get_one(Entry, ("main", ANN)), "a match")


def become_remote(session: Session) -> None:
    """Nobody plays the bot, since nothing dials in."""
    renew_token(session, "ann")


@pytest.mark.parametrize("change", [retire, leave, be_suspended, become_remote])
def test_who_may_no_longer_play_is_not_paired(
    league: League, change: Callable[[Session], None]
) -> None:
    assert ANN in league.paired(6)
    with league.store.writing() as session:
        change(session)
    assert ANN not in league.paired(6)


def test_who_returns_is_paired_again(league: League) -> None:
    with league.store.writing() as session:
        leave(session)
    assert ANN not in league.paired(4)
    with league.store.writing() as session:
        enter(session, ladder_named(session, "main"), ANN)
    assert ANN in league.paired(1)  # it has played least


def test_versions_that_come_to_belong_to_one_contestant_meet_no_more(league: League) -> None:
    with league.store.writing() as session:
        session.execute(sa.update(Bot).where(Bot.name.in_(("ann", "bob", "cy"))).values(owner="An"))
    assert len(league.play(12)) == 12  # An is the organiser's: nothing is known of a contestant
    with league.store.writing() as session:
        create_token(session, "An", Role.OWNER)
    with league.store.reading() as session:
        versions = {one.digest: one.bot for one in playing_versions(session, new(session))}
    for players in league.play(12):
        assert len({versions[one] for one in players} & {"ann", "bob", "cy"}) <= 1


def test_what_retired_versions_played_counts_for_their_owner_after_a_restart(
    league: League,
) -> None:
    with league.store.writing() as session:
        create_token(session, "An", Role.OWNER)
        session.execute(sa.update(Bot).where(Bot.name == "ann").values(owner="An"))
    league.play(20)
    with league.store.writing() as session:
        retire(session)
        add_version(session, bot="ann", owner="An", version=NEWCOMER, manifest={})
        enter(session, ladder_named(session, "main"), NEWCOMER)
    with league.store.reading() as session:
        league.source = LadderJobs(session, new(session), league.rng)
    played = [NEWCOMER in players for players in league.play(20)]
    assert 0 < sum(played) < 15  # one that nobody owned would play in all of them


def new(session: Session) -> Ladder:
    return ladder_named(session, "main")


def test_a_pause_counts_at_once_and_so_does_its_end(league: League) -> None:
    for state, jobs in ((CompetitionState.PAUSED, 0), (CompetitionState.RUNNING, 3)):
        with league.store.writing() as session:
            ladder_named(session, "main").state = state
        assert len(league.play(3)) == jobs


def test_ratings_are_those_of_the_store_after_every_job(
    store: Store, new_ladder: NewLadder, rng: Random
) -> None:
    ladder = new_ladder(options={"deals": 1})
    field = Field((0, 1), own_partners=False)
    roster = Roster("main", field)
    with store.reading() as session:
        source = LadderJobs(session, ladder, rng)
    for _ in range(6):
        with store.writing() as session:
            jobs: list[Job] = source.make(session, rng.randint(1, 3))
        for job in jobs:
            assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
        with store.reading() as session:
            roster.refresh(session)
            for rating in session.scalars(sa.select(Rating)):
                number = field.names.index(rating.version)
                assert (field.mu[number], field.sigma[number]) == (rating.mu, rating.sigma)


def test_pairing_goes_by_the_last_fit_and_a_newcomer_by_its_running_rating(
    league: League, tmp_path: Path
) -> None:
    field = Field((0, 1), own_partners=False)
    roster = Roster("main", field)
    with league.store.reading() as session:
        roster.refresh(session)
    with league.store.writing() as session:
        refit(session, ladder_named(session, "main"))
    subprocess.run([sys.executable, "-c", ENTER, str(tmp_path), NEWCOMER], check=True)
    assert NEWCOMER in league.paired(3)
    with league.store.reading() as session:
        roster.refresh(session)
        for rating in session.scalars(sa.select(Rating)):
            running, fitted = (rating.mu, rating.sigma), (rating.fit_mu, rating.fit_sigma)
            number = field.names.index(rating.version)
            assert running != fitted
            assert (field.mu[number], field.sigma[number]) == (
                running if rating.version == NEWCOMER else fitted
            )


def test_what_says_nothing_of_who_may_be_paired_is_no_change(league: League) -> None:
    """Or a league would read its entrants again all the time."""
    with league.store.writing() as session:
        renew_token(session, "ann")
        before = field_revision(session)
    with league.store.writing() as session:
        add_version(session, bot="other", owner="Zoe", version=NEWCOMER, manifest={})
        create_token(session, "Rae", Role.READER)
        set_connected(session, "ann", True)
        session.get_one(Version, ANN).attempts += 1
    assert len(league.play(2)) == 2
    with league.store.reading() as session:
        assert field_revision(session) == before
