"""Tournaments go on where they were, whatever is killed in each of their rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.competitions import seatings_of
from arena.league.tournament import change_state
from arena.store.open import open_store
from arena.store.schema import (
    CompetitionState,
    Job,
    JobState,
    Match,
    Tournament,
    TournamentGroup,
    TournamentRound,
)
from tests.support.command_line import ran
from tests.support.patience import until
from tests.support.whole_arena.arena import GIVEN_UP, SAMPLE_BOTS, Part, WholeArena

pytestmark = pytest.mark.slow

ROUNDS, GROUPS = 3, 2
EVERY_ROUND = range(1, ROUNDS + 1)
VICTIMS = ("valkey", "arena")


@dataclass(frozen=True)
class Cup:
    """A Swiss, and how many bots play in it."""

    name: str
    game: str
    bots: int
    per_table: int
    terms: tuple[object, ...]

    @property
    def groups(self) -> int:
        """The groups of a round."""
        return self.bots // self.per_table * GROUPS


FOUR = Cup("cup", "xeri", 4, 2, ("--set", "deals=1"))
EIGHT = Cup("cup", "xeri", 8, 2, ("--set", "deals=1"))
PAIRS = Cup("pairs", "xeri", 16, 2, ("--set", "deals=1"))
FOURS = Cup("fours", "dingo", 16, 4, ("--single",))


@dataclass(frozen=True)
class Kill:
    """`after`: the groups of the round that have been recorded before."""

    victim: str
    cup: Cup
    round: int
    after: int


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[WholeArena]:
    with WholeArena(tmp_path) as arena:
        yield arena
        arena.assert_nothing_runs()


def create(arena: WholeArena, cup: Cup) -> None:
    bots = []
    for number in range(cup.bots):
        file = arena.folder / f"{cup.name}_{number}.py"
        source = SAMPLE_BOTS / ("first_bot" if number % 2 else "random_bot") / "bot.py"
        file.write_text(f"# bot {number}\n{source.read_text()}")
        bots.append(file)
    terms = ("--format", "swiss", "--rounds", ROUNDS, "--groups", GROUPS, *cup.terms)
    words = ("create", cup.name, cup.game, *bots, *terms, "--data", arena.data)
    created = ran("tournament", *words)
    assert created.code == 0, created.err


def to_be_played(arena: WholeArena, cup: Cup) -> None:
    """Starts a tournament, which is played as soon as an arena is there."""
    store = open_store(arena.data, "write")
    with store.writing() as session:
        tournament = session.get_one(Tournament, cup.name)
        change_state(session, tournament, CompetitionState.RUNNING)
    store.close()


def resume_paused(arena: WholeArena, cups: tuple[Cup, ...]) -> None:
    """Resumes tournaments that wait for their organiser, since a job was hit by three blows."""
    for cup in cups:
        with store_of(arena) as session:
            tournament = session.get_one(Tournament, cup.name)
        if tournament.state is CompetitionState.PAUSED:
            assert GIVEN_UP in tournament.problem
            to_be_played(arena, cup)


def kills_in(rounds: Iterable[int], cups: tuple[Cup, ...], rng: Random) -> list[Kill]:
    """Returns a kill of each victim in each of these rounds, in its first half."""
    return [
        Kill(victim, cup, number, rng.randrange(cup.groups // 2))
        for cup in cups
        for number in rounds
        for victim in VICTIMS
    ]


@contextmanager
def store_of(arena: WholeArena) -> Iterator[Session]:
    store = open_store(arena.data, "read")
    with store.reading() as session:
        yield session
    store.close()


def recorded(session: Session, cup: Cup) -> tuple[int, int]:
    """Returns the last round that has been paired, and how many of its groups are recorded."""
    last = sa.select(sa.func.max(TournamentRound.number))
    number = session.scalar(last.where(TournamentRound.tournament == cup.name)) or 0
    groups = (
        sa.select(sa.func.count())
        .select_from(TournamentGroup)
        .join(Job, Job.id == TournamentGroup.job)
        .where(TournamentGroup.tournament == cup.name, TournamentGroup.round == number)
        .where(Job.state == JobState.RECORDED)
    )
    return number, session.scalar(groups) or 0


def over(arena: WholeArena, cups: tuple[Cup, ...]) -> bool:
    resume_paused(arena, cups)
    with store_of(arena) as session:
        states = [session.get_one(Tournament, cup.name).state for cup in cups]
    return all(state is CompetitionState.OVER for state in states)


def is_due(session: Session, kill: Kill) -> bool:
    """On a busy machine a round may be over before the next look; then it is late, but due."""
    return recorded(session, kill.cup) >= (kill.round, kill.after)


def until_due(arena: WholeArena, part: Part, kills: list[Kill]) -> list[Kill]:
    """Waits until a kill is due; returns those that are done with the same blow."""

    def due() -> list[Kill]:
        resume_paused(arena, tuple({kill.cup for kill in kills}))
        assert part.process.poll() is None, part.said()
        with store_of(arena) as session:
            return [kill for kill in kills if is_due(session, kill)]

    first, *others = until(due, f"one of {kills}")
    return [first, *(kill for kill in others if kill.victim == first.victim)]


def play_with_kills(arena: WholeArena, start: Callable[[], Part], left: list[Kill]) -> Part:
    """Kills, and returns the part that plays on after the last kill. `start`: starts it, and again
    after each of its deaths."""
    part = start()
    while left:
        done = until_due(arena, part, left)
        left = [kill for kill in left if kill not in done]
        if done[0].victim == "valkey":
            arena.kill_valkey()
            continue
        part.process.kill()
        part.process.wait()
        arena.assert_nothing_runs()
        part = start()
    return part


def assert_each_group_once(arena: WholeArena, cup: Cup) -> None:
    with store_of(arena) as session:
        rounds = session.scalars(
            sa.select(TournamentRound.number).where(TournamentRound.tournament == cup.name)
        ).all()
        assert sorted(rounds) == list(EVERY_ROUND)
        groups = session.scalars(
            sa.select(TournamentGroup).where(TournamentGroup.tournament == cup.name)
        ).all()
        assert len(groups) == ROUNDS * cup.groups
        jobs = session.scalars(
            sa.select(Job).where(Job.competition == cup.name, Job.reason != GIVEN_UP)
        ).all()
        assert {job.id for job in jobs} == {group.job for group in groups}
        assert {job.state for job in jobs} == {JobState.RECORDED}
        of_cup = sa.select(sa.func.count(Match.id)).where(Match.job.in_([job.id for job in jobs]))
        seatings = seatings_of(session.get_one(Tournament, cup.name))
        assert session.scalar(of_cup) == len(seatings) * len(groups)


def assert_its_file_verifies(arena: WholeArena, cup: Cup) -> None:
    shown = ran("tournament", "show", cup.name, "--json", "--data", arena.data).json
    assert shown["state"] == "over"
    assert len(shown["standings"]) == cup.bots
    assert not any(one["withdrawn_round"] for one in shown["entrants"])  # nobody is at fault
    file = arena.folder / f"{cup.name}.jsonl.gz"
    assert ran("tournament", "export", cup.name, file, "--data", arena.data).code == 0
    checked = ran("tournament", "verify", file)
    assert checked.code == 0, checked.out


@pytest.mark.parametrize(
    ("cup", "rounds"),
    [
        pytest.param(FOUR, [2], id="in one round"),
        pytest.param(EIGHT, EVERY_ROUND, id="in every round", marks=pytest.mark.nightly),
    ],
)
def test_one_that_is_started_again(
    arena: WholeArena, seed: int, cup: Cup, rounds: Iterable[int]
) -> None:
    create(arena, cup)
    kills = kills_in(rounds, (cup,), Random(seed))
    part = play_with_kills(arena, lambda: arena.tournament(cup.name), kills)
    part.until_done()
    assert_each_group_once(arena, cup)
    assert_its_file_verifies(arena, cup)


@pytest.mark.nightly
def test_two_of_sixteen_bots_each_on_one_server(arena: WholeArena, seed: int) -> None:
    cups = (PAIRS, FOURS)
    for cup in cups:
        create(arena, cup)
        to_be_played(arena, cup)
    kills = kills_in(EVERY_ROUND, cups, Random(seed))
    server = play_with_kills(arena, lambda: arena.server(workers=2), kills)
    until(lambda: over(arena, cups), "both are over", patience_s=100)
    server.stop()
    for cup in cups:
        assert_each_group_once(arena, cup)
        assert_its_file_verifies(arena, cup)
