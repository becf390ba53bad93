"""A comparison goes on where it was, whatever is killed; every group counts once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psutil
import pytest
import sqlalchemy as sa

from arena.errors import ArenaError
from arena.store.open import open_store
from arena.store.schema import ComparisonGroup, ComparisonJob, Job, JobState, Match
from tests.support.command_line import ran
from tests.support.patience import PATIENCE_S, until
from tests.support.processes import name_of
from tests.support.whole_arena.arena import GIVEN_UP

pytestmark = pytest.mark.slow

GROUPS = 24
PAUSED = 4  # the command's exit code
SAMPLES = Path(__file__).parents[2] / "sample_bots"


def command(folder: Path) -> list[object]:
    """Compares two bots that choose alike, so that it ends undecided."""
    bots = [folder / "one.py", folder / "other.py"]
    source = (SAMPLES / "random_bot" / "bot.py").read_text()
    for bot in bots:
        bot.write_text(f"# {bot.name}\n{source}")
    terms = ("--game", "xeri", "--set", "deals=1", "--seats", 2, "--most-groups", GROUPS)
    house = ("--against", SAMPLES / "first_bot")
    means = ("--sandbox", "none", "--workers", 2, "--certificate", folder / "duel.jsonl")
    return ["compare", *bots, *terms, *house, *means, "--name", "duel", "--data", folder / "data"]


@contextmanager
def playing(folder: Path) -> Iterator[psutil.Popen]:
    with psutil.Popen(
        [sys.executable, "-m", "arena.cli", *map(str, command(folder))],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            if process.is_running():
                process.kill()


def finished(data: Path) -> int:
    """Returns how many groups have their result."""
    try:
        store = open_store(data, "read")
    except ArenaError:  # nothing is there yet
        return 0
    with store.reading() as session:
        count = session.scalar(sa.select(sa.func.count(ComparisonGroup.difference)))
    store.close()
    return count or 0


def until_finished(data: Path, groups: int, process: psutil.Popen) -> None:
    def is_so() -> bool:
        assert process.poll() is None, process.stdout.read()
        return finished(data) >= groups

    until(is_so, f"{groups} groups are finished")


def until_decided(folder: Path) -> str:
    """Plays to the end, and returns what was said. A job that each of the blows hit is given up,
    and played once more when the comparison goes on."""
    for _ in range(3):
        with playing(folder) as process:
            out, _ = process.communicate(timeout=PATIENCE_S)
        if process.returncode != PAUSED:
            break
        assert GIVEN_UP in out
    assert process.returncode == 1, out  # it is not better
    return str(out)


@pytest.mark.parametrize(
    "blows",
    [
        pytest.param(["valkey"], id="once"),
        pytest.param(["arena", "valkey", "arena"], id="again and again", marks=pytest.mark.nightly),
    ],
)
def test_the_arena_is_killed_and_valkey_before_it(
    tmp_path: Path, seed: int, blows: list[str]
) -> None:
    rng, data = Random(seed), tmp_path / "data"
    for number, first in enumerate(blows):
        with playing(tmp_path) as process:
            until_finished(data, 7 * number + rng.randrange(1, 7), process)
            below = process.children(recursive=True)
            if first == "valkey":
                [valkey] = [one for one in below if name_of(one).startswith("valkey")]
                valkey.kill()
                until_finished(data, finished(data) + 1, process)
                below = process.children(recursive=True)
            process.kill()
            process.wait()
            _, alive = psutil.wait_procs(below, timeout=PATIENCE_S)
            assert not alive
    assert f"Undecided after {GROUPS} groups" in until_decided(tmp_path)
    store = open_store(data, "read")
    with store.reading() as session:
        numbers = session.scalars(sa.select(ComparisonGroup.number)).all()
        assert sorted(numbers) == list(range(1, GROUPS + 1))
        of_groups = session.scalars(sa.select(ComparisonJob.job)).all()
        jobs = session.scalars(sa.select(Job).where(Job.reason != GIVEN_UP)).all()
        assert {job.id for job in jobs} == set(of_groups)
        assert len(jobs) == 2 * GROUPS
        assert {job.state for job in jobs} == {JobState.RECORDED}
        assert session.scalar(sa.select(sa.func.count(Match.id))) == 4 * GROUPS
    store.close()
    checked = ran("compare", "verify", tmp_path / "duel.jsonl")
    assert checked.code == 0, checked.out
