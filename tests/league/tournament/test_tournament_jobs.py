"""Tournaments are played to their end, whatever is interrupted, and every table once."""

import hashlib
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.league.recorder import Recorded, Recorder
from arena.league.tournament import (
    TournamentJobs,
    change_state,
    enter_tournament,
    history_of,
    leave_tournament,
    terms_of,
    tournament_document,
)
from arena.queue.job import Job
from arena.store.schema import (
    CompetitionState,
    Format,
    JobState,
    Rating,
    Role,
    Tournament,
    TournamentGroup,
    Version,
    VersionState,
)
from arena.store.schema import Job as JobRow
from arena.store.session import Store
from arena.store.tokens import create_token
from arena.store.versions import add_version
from arena.tournament import TournamentTerms, standings
from arena.views.matches.match import match_counts
from tests.support.failing import failing
from tests.support.job_outcomes import outcome_of
from tests.support.new_tournament import new_tournament as created

State = CompetitionState
NewTournament = Callable[..., Tournament]


@pytest.fixture
def new_tournament(store: Store) -> NewTournament:
    def make(count: int = 6, game: str = "xeri", format: str = "auto", **terms: Any) -> Tournament:
        engine_terms = TournamentTerms(format=format, **terms.pop("terms", {}))
        with store.writing() as session:
            tournament = created(session, "cup", game, terms=engine_terms, **terms)
            for number in range(count):
                enter_tournament(session, tournament, version(store, session, f"bot-{number}"))
        return tournament

    return make


def version(store: Store, session: Any, bot: str, owner: str = "org") -> Version:
    digest = hashlib.sha256(bot.encode()).hexdigest()
    return add_version(session, bot=bot, owner=owner, version=digest, manifest={})


def start(store: Store) -> None:
    with store.writing() as session:
        change_state(session, session.get_one(Tournament, "cup"), State.RUNNING)


def state_of(store: Store) -> CompetitionState:
    with store.reading() as session:
        return session.get_one(Tournament, "cup").state


def source(store: Store) -> TournamentJobs:
    with store.reading() as session:
        return TournamentJobs(session, session.get_one(Tournament, "cup"))


def made(store: Store, jobs: TournamentJobs, keep: int = 8) -> list[Job]:
    with store.writing() as session:
        return jobs.make(session, keep)


def play(store: Store, rng: Random, *, restarts: float = 0.2, steps: int = 5000) -> None:
    """Plays until nothing is due. `restarts`: how often the league is killed between two steps."""
    jobs, recorder, queued = source(store), Recorder(store), []
    for _ in range(steps):
        if rng.random() < restarts:
            jobs = source(store)
        queued += made(store, jobs, rng.randint(1, 6))
        if not queued:
            if state_of(store) is not State.RUNNING:
                return
            continue
        job = queued.pop(rng.randrange(len(queued)))
        assert recorder.record(outcome_of(job, rng)) == Recorded()
    raise AssertionError("The tournament does not end.")


slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("format", "count", "game", "seats"),
    [
        ("round-robin", 5, "xeri", 2),
        ("swiss", 7, "xeri", 2),
        ("single-elimination", 6, "xeri", 2),
        slow("double-elimination", 5, "xeri", 2),
        slow("swiss", 7, "insidious-sevens", 3),
        slow("single-elimination", 5, "dingo", 4),
        ("auto", 3, "seven-euchre", 4),
    ],
)
def test_every_format_is_played_to_its_end_with_each_table_once(
    store: Store,
    new_tournament: NewTournament,
    rng: Random,
    format: str,
    count: int,
    game: str,
    seats: int,
) -> None:
    new_tournament(count, game, format, seats=seats)
    start(store)
    play(store, rng)
    assert state_of(store) is State.OVER
    with store.reading() as session:
        tournament = session.get_one(Tournament, "cup")
        history = history_of(session, "cup")
        terms = terms_of(tournament)
        course = history.course(terms)
        for meeting in course.meetings():
            groups = [group.number for group in history.groups_at(meeting)]
            assert groups == list(range(1, len(groups) + 1))
            assert terms.groups <= len(groups) <= terms.most_groups
        rows = session.scalars(sa.select(TournamentGroup)).all()
        jobs = session.scalars(sa.select(JobRow)).all()
        assert {row.job for row in rows} == {job.id for job in jobs}
        assert all(job.state is JobState.RECORDED and job.sequence is None for job in jobs)
        assert sum(match_counts(session).values()) >= len(jobs)
        assert session.scalars(sa.select(Rating)).all() == []
        placed = standings(course, tournament.secret)
        assert sorted(one.number for one in placed) == list(range(1, count + 1))


def test_tables_of_a_round_play_the_same_deals_and_others_do_not(
    store: Store, new_tournament: NewTournament, rng: Random
) -> None:
    new_tournament(6, format="swiss", terms={"rounds": 2})
    start(store)
    play(store, rng)
    texts: Counter[tuple[int, int, str]] = Counter()
    with store.reading() as session:
        for row in session.scalars(sa.select(TournamentGroup)):
            job = Job.model_validate_json(
                session.get_one(JobRow, row.job).body[:-1] + ',"result_token":""}'
            )
            texts[row.round, row.number, job.seed_text] += 1
    assert set(texts.values()) == {3}
    assert len({text for _, _, text in texts}) == 4


def test_single_matches_share_the_seats_and_have_deals_of_their_own(
    store: Store, new_tournament: NewTournament
) -> None:
    new_tournament(2, format="swiss", common_deals=False, seats=2)
    with store.writing() as session:
        session.get_one(Tournament, "cup").format = Format.SINGLE
    start(store)
    one, other = made(store, source(store))
    assert [entrant.bot for entrant in one.entrants] == ["bot-0", "bot-1"]
    assert [entrant.bot for entrant in other.entrants] == ["bot-1", "bot-0"]
    assert one.seed_text != other.seed_text


def test_a_retired_bot_forfeits_and_is_not_paired_again(
    store: Store, new_tournament: NewTournament, rng: Random
) -> None:
    new_tournament(4, format="round-robin")
    start(store)
    jobs = made(store, source(store), 1)
    with store.writing() as session:
        session.get_one(Version, jobs[0].entrants[0].version).state = VersionState.RETIRED
    play_with(store, rng, jobs)
    with store.reading() as session:
        tournament = session.get_one(Tournament, "cup")
        history = history_of(session, "cup")
        [gone] = [one for one in history.entrants if one.withdrawn_round is not None]
        assert (gone.name, gone.withdrawn_round) == (jobs[0].entrants[0].bot, 1)
        assert standings(history.course(terms_of(tournament)))[-1].number == gone.number
        later = [table for pairing in history.rounds[1:] for table in pairing.meetings]
        assert all(gone.number not in meeting.entrants for meeting in later)


def play_with(store: Store, rng: Random, queued: list[Job]) -> None:
    for job in queued:
        Recorder(store).record(outcome_of(job, rng))
    play(store, rng)


def test_a_bot_at_fault_in_all_matches_of_a_round_is_withdrawn(
    store: Store, new_tournament: NewTournament, rng: Random
) -> None:
    new_tournament(4, format="round-robin")
    start(store)
    jobs = made(store, source(store), 100)
    for job in jobs:
        at_fault = [index for index, entrant in enumerate(job.entrants) if entrant.bot == "bot-2"]
        assert Recorder(store).record(outcome_of(job, rng, at_fault=at_fault)) == Recorded()
    play(store, rng)
    with store.reading() as session:
        history = history_of(session, "cup")
        [gone] = [one for one in history.entrants if one.withdrawn_round is not None]
        assert (gone.name, gone.withdrawn_round) == ("bot-2", 2)


def test_a_round_waits_for_what_is_played_at_a_table_that_was_left(
    store: Store, new_tournament: NewTournament, rng: Random
) -> None:
    """Otherwise the result would come after the next pairing, which it changes."""
    new_tournament(4, format="swiss", terms={"groups": 1})
    start(store)
    jobs = source(store)
    left, other = made(store, jobs)
    with store.writing() as session:
        tournament = session.get_one(Tournament, "cup")
        gone = session.get_one(Version, left.entrants[1].version)
        assert leave_tournament(session, tournament, gone, "It left.").withdrawn_round == 1
    Recorder(store).record(outcome_of(other, rng))
    assert made(store, jobs) == made(store, source(store)) == []
    with store.reading() as session:
        assert len(history_of(session, "cup").rounds) == 1
    Recorder(store).record(outcome_of(left, rng))
    assert made(store, jobs)
    with store.reading() as session:
        assert len(history_of(session, "cup").rounds) == 2


def test_only_groups_up_to_the_first_that_is_missing_are_public(
    store: Store, new_tournament: NewTournament, rng: Random
) -> None:
    new_tournament(2, terms={"groups": 3})
    start(store)
    first, second, third = made(store, source(store))
    Recorder(store).park(second.job_id, "No worker has the game.")
    for job in (first, third):
        Recorder(store).record(outcome_of(job, rng))
    with store.reading() as session:
        document = tournament_document(session, session.get_one(Tournament, "cup"))
        [table] = document.rounds[0].tables
        assert [group.job for group in table.groups] == [first.job_id]


def test_a_swiss_of_one_owner_does_not_start(store: Store, new_tournament: NewTournament) -> None:
    new_tournament(0, format="swiss")
    with store.writing() as session:
        create_token(session, owner="ann", role=Role.OWNER)
        tournament = session.get_one(Tournament, "cup")
        for bot in ("ann-1", "ann-2"):
            enter_tournament(session, tournament, version(store, session, bot, "ann"))
    with failing(Kind.NOT_NOW, match="have too few owners: the bots of one owner never meet"):
        start(store)
    with store.writing() as session:
        tournament = session.get_one(Tournament, "cup")
        enter_tournament(session, tournament, version(store, session, "org-bot"))
    start(store)


def test_a_job_that_was_given_up_pauses_it_until_it_is_played_again(
    store: Store, new_tournament: NewTournament, rng: Random
) -> None:
    new_tournament(2)
    start(store)
    jobs = source(store)
    [first, second] = made(store, jobs)
    Recorder(store).park(first.job_id, "No worker has the game.")
    assert made(store, jobs) == []
    assert state_of(store) is State.PAUSED
    with store.reading() as session:
        problem = session.get_one(Tournament, "cup").problem
        assert problem.startswith("Round 1, table 1: the job ")
        assert "was given up (No worker has the game.)" in problem
    start(store)
    [again] = made(store, jobs)
    assert again.seed_text == first.seed_text
    for job in (second, again):
        Recorder(store).record(outcome_of(job, rng))
    play(store, rng)
    assert state_of(store) is State.OVER


def test_a_job_is_played_again_when_the_next_group_of_its_table_is_over(
    store: Store, new_tournament: NewTournament, rng: Random
) -> None:
    new_tournament(2)
    start(store)
    jobs = source(store)
    [first, second] = made(store, jobs)
    Recorder(store).record(outcome_of(second, rng))
    Recorder(store).park(first.job_id, "No worker has the game.")
    assert made(store, jobs) == []
    start(store)
    with store.reading() as session:
        document = tournament_document(session, session.get_one(Tournament, "cup"))
        [table] = document.rounds[0].tables
        assert table.groups == ()
    [again] = made(store, jobs)
    assert again.seed_text == first.seed_text
    Recorder(store).record(outcome_of(again, rng))
    play(store, rng)
    assert state_of(store) is State.OVER


def test_a_swiss_takes_late_entries_and_others_do_not(
    store: Store, new_tournament: NewTournament, rng: Random
) -> None:
    new_tournament(4, format="swiss", terms={"rounds": 3})
    start(store)
    made(store, source(store), 1)
    with store.writing() as session:
        tournament = session.get_one(Tournament, "cup")
        late = enter_tournament(session, tournament, version(store, session, "late"))
        assert (late.number, late.entered_round) == (5, 2)
        assert enter_tournament(session, tournament, version(store, session, "late")) is late
        gone = version(store, session, "bot-0")
        leave_tournament(session, tournament, gone, "It has better things to do.")
        with failing(Kind.NOT_NOW, match="bot-0 has left the tournament cup, and cannot come back"):
            enter_tournament(session, tournament, gone)


def test_once_begun_a_round_robin_takes_nobody(store: Store, new_tournament: NewTournament) -> None:
    new_tournament(4)
    start(store)
    made(store, source(store), 1)
    with store.writing() as session:
        tournament = session.get_one(Tournament, "cup")
        with failing(Kind.NOT_NOW, match="has begun; only a Swiss takes entrants after that"):
            enter_tournament(session, tournament, version(store, session, "late"))


def test_a_field_too_small_for_a_table_does_not_start(
    store: Store, new_tournament: NewTournament
) -> None:
    new_tournament(1)
    with failing(Kind.NOT_NOW, match="The tournament cup has 1 entrant, and a table needs 2"):
        start(store)
    with store.writing() as session:
        tournament = session.get_one(Tournament, "cup")
        change_state(session, tournament, State.CANCELLED)
    with failing(Kind.NOT_NOW, match="The tournament cup is cancelled"):
        start(store)
