"""A tournament goes on where it was, whatever is killed in each of its rounds."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psutil
import pytest
import sqlalchemy as sa

from arena.store.open import open_store
from arena.store.tables import Job, JobState, Match, TournamentGroup, TournamentRound
from tests.support.command_line import ran

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

ROUNDS, BOTS = 3, 8
SAMPLES = Path(__file__).parents[2] / "sample_bots"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A Swiss of eight bots that has not begun."""
    bots = []
    for number in range(BOTS):
        file = tmp_path / f"bot_{number}.py"
        source = SAMPLES / ("first_bot" if number % 2 else "random_bot") / "bot.py"
        file.write_text(f"# bot {number}\n{source.read_text()}")
        bots.append(file)
    terms = ("--format", "swiss", "--rounds", ROUNDS, "--set", "deals=1")
    data = tmp_path / "data"
    created = ran("tournament", "create", "cup", "xeri", *bots, *terms, "--data", data)
    assert created.code == 0, created.err
    return data


@contextmanager
def playing(data: Path) -> Iterator[psutil.Popen]:
    command = ("tournament", "start", "cup", "--sandbox", "none", "--workers", "2")
    with psutil.Popen(
        [sys.executable, "-m", "arena.cli", *command, "--data", str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            if process.is_running():
                process.kill()


def recorded(data: Path, round_number: int) -> int:
    """Returns how many groups of a round are recorded."""
    store = open_store(data, "read")
    with store.reading() as session:
        count = session.scalar(
            sa.select(sa.func.count())
            .select_from(TournamentGroup)
            .join(Job, Job.id == TournamentGroup.job)
            .where(TournamentGroup.round == round_number, Job.state == JobState.RECORDED)
        )
    store.close()
    return count or 0


def until_played(data: Path, round_number: int, groups: int, process: psutil.Popen) -> None:
    deadline = time.monotonic() + 100
    while recorded(data, round_number) < groups:
        assert process.poll() is None, process.stdout.read()
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_arena_and_valkey_are_killed_in_each_round(data: Path, seed: int) -> None:
    rng = Random(seed)
    for round_number in range(1, ROUNDS + 1):
        with playing(data) as process:
            until_played(data, round_number, rng.randrange(1, BOTS - 1), process)
            [valkey] = [
                one for one in process.children(recursive=True) if one.name().startswith("valkey")
            ]
            below = process.children(recursive=True)
            if round_number % 2:
                valkey.kill()
                until_played(data, round_number, BOTS - 1, process)
            process.kill()
            process.wait()
            _, alive = psutil.wait_procs(below, timeout=20)
            assert not alive
    with playing(data) as process:
        out, _ = process.communicate(timeout=100)
        assert process.returncode == 0, out
    store = open_store(data, "read")
    with store.reading() as session:
        rounds = session.scalars(sa.select(TournamentRound.number)).all()
        assert sorted(rounds) == list(range(1, ROUNDS + 1))
        groups = session.scalars(sa.select(TournamentGroup)).all()
        assert len(groups) == ROUNDS * BOTS // 2 * 2
        jobs = session.scalars(sa.select(Job)).all()
        assert {job.id for job in jobs} == {group.job for group in groups}
        assert {job.state for job in jobs} == {JobState.RECORDED}
        assert session.scalar(sa.select(sa.func.count(Match.id))) == 2 * len(groups)
    store.close()
    shown = ran("tournament", "show", "cup", "--json", "--data", data).json
    assert shown["state"] == "over"
    assert len(shown["standings"]) == BOTS
