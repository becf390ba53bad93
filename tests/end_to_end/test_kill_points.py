"""Every part of the arena is killed at every point that matters. After a restart, every match is
recorded and rated exactly once, and none is lost.

All parts are real: the command, Valkey, SQLite, workers, sample bots as processes. Each kind of
death is in every run of the slow tests; its further points and circumstances are nightly.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from arena.bots.limits import usable_place
from arena.queue.redis_queue import ATTEMPTS
from tests.support.patience import PATIENCE_S, until
from tests.support.whole_arena.arena import Part, WholeArena

pytestmark = pytest.mark.slow

nightly = pytest.mark.nightly
MATCHES = 5


@pytest.fixture(scope="module")
def new_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a ladder on which nothing has been played."""
    with WholeArena(tmp_path_factory.mktemp("new")) as arena:
        arena.create()
        return arena.data


@pytest.fixture
def arena(tmp_path: Path, new_data: Path) -> Iterator[WholeArena]:
    """An arena that must be consistent and idle after the test."""
    shutil.copytree(new_data, tmp_path / "data", symlinks=True)
    with WholeArena(tmp_path) as arena:
        yield arena
        arena.assert_nothing_runs()
        arena.assert_all_is_recorded_once(MATCHES)


POINTS_OF_A_WORKER = [
    pytest.param("leased", 2, marks=nightly),
    pytest.param("bots start", 2, marks=nightly),
    ("mid-match", 5),
    pytest.param("before the result", 2, marks=nightly),
    ("after the result", 2),
]


@pytest.mark.parametrize(("point", "count"), POINTS_OF_A_WORKER)
def test_a_worker_is_killed(arena: WholeArena, point: str, count: int) -> None:
    league = arena.league(MATCHES)
    arena.worker(point=point, count=count).until_killed()
    other = arena.worker()
    league.until_done()
    other.stop()


@nightly
@pytest.mark.needs("bubblewrap")
def test_a_worker_is_killed_while_its_bots_play_in_the_sandbox(arena: WholeArena) -> None:
    arena.sandbox = "bubblewrap"
    league = arena.league(MATCHES)
    arena.worker(point="mid-match", count=5).until_killed()
    other = arena.worker()
    league.until_done()
    other.stop()


def test_a_worker_of_the_league_is_killed_and_another_takes_its_place(arena: WholeArena) -> None:
    league = arena.league(MATCHES, workers=1)
    [worker] = until(lambda: arena.running_commands("worker"), "the league's worker runs")
    worker.kill()
    league.until_done()
    assert "and is replaced" in league.said()


@nightly
def test_a_worker_is_paused_past_its_lease_and_wakes(arena: WholeArena) -> None:
    league = arena.league(MATCHES)
    slow = arena.worker(point="before the result", number="STOP")
    slow.until_paused()
    other = arena.worker(point="result of attempt 2", number="STOP")
    other.until_paused()  # it has played the same job too
    slow.go_on()
    slow.until_says("the lease was lost, the outcome is dropped")
    other.go_on()
    league.until_done()
    for worker in (slow, other):
        worker.stop()


@nightly
def test_a_worker_is_stopped_in_play_and_its_job_is_not_held_against_anybody(
    arena: WholeArena,
) -> None:
    league = arena.league(MATCHES)
    for _ in range(ATTEMPTS):
        worker = arena.worker(point="mid-match", count=5, number="STOP")
        worker.until_paused()
        worker.process.terminate()
        worker.go_on()
        worker.until_done()
    other = arena.worker()
    league.until_done()
    other.stop()


def test_a_worker_that_is_stopped_finishes_what_is_in_play(arena: WholeArena) -> None:
    league = arena.league(MATCHES)
    worker = arena.worker(point="mid-match", count=5, number="STOP", finish_s=60)
    worker.until_paused()
    worker.process.terminate()
    worker.go_on()
    worker.until_done()
    [after] = worker.said().split("jobs in play have 60 seconds to finish")[1:]
    assert after.count(": done") == 1
    other = arena.worker()
    league.until_done()
    other.stop()


POINTS_OF_A_LEAGUE = [
    # Four jobs are queued at the start. The fifth follows a match: by then the worker has found the
    # league.
    pytest.param("row before stream", 5, marks=nightly),
    ("before commit", 2),
    ("after commit", 2),
]


@pytest.mark.parametrize(("point", "count"), POINTS_OF_A_LEAGUE)
def test_the_league_is_killed(arena: WholeArena, point: str, count: int) -> None:
    league = arena.league(MATCHES, point=point, count=count)
    first = arena.worker()
    league.until_killed()
    first.stop()
    arena.assert_nothing_runs()
    again = arena.league(MATCHES)
    second = arena.worker()
    again.until_done()
    second.stop()


def worker_paused_in_play(arena: WholeArena) -> Part:
    """A worker paused in the middle of its second match; the first has been recorded."""
    worker = arena.worker(point="before the result", count=2, number="STOP")
    worker.until_paused()
    until(lambda: arena.recorded() == 1, "the first match is recorded")
    return worker


@nightly
def test_valkey_is_killed_while_a_match_is_in_play(arena: WholeArena) -> None:
    league = arena.league(MATCHES)
    worker = worker_paused_in_play(arena)
    arena.kill_valkey()
    worker.go_on()
    league.until_done()
    assert "Valkey ended" in league.said()
    worker.stop()


def test_valkey_is_killed_and_its_data_is_lost(arena: WholeArena) -> None:
    league = arena.league(MATCHES)
    worker = worker_paused_in_play(arena)
    valkey = arena.valkey()
    valkey.suspend()  # so that it does not write while its folder is removed
    shutil.rmtree(arena.data / "valkey")
    valkey.kill()
    worker.go_on()
    league.until_done()
    worker.stop()


@nightly
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_valkeys_data_is_lost_while_the_arena_is_down(
    arena: WholeArena, number: signal.Signals
) -> None:
    league = arena.league(MATCHES)
    worker = worker_paused_in_play(arena)
    league.process.send_signal(number)
    league.process.wait(PATIENCE_S)
    worker.go_on()
    worker.stop()
    arena.assert_nothing_runs()
    shutil.rmtree(arena.data / "valkey")
    again = arena.league(MATCHES)
    other = arena.worker()
    again.until_done()
    other.stop()


def test_everything_is_killed_at_once(arena: WholeArena) -> None:
    league = arena.league(MATCHES, workers=1)
    arena.redis()
    until(lambda: arena.recorded() > 0, "a match is recorded")
    whole = psutil.Process(league.process.pid)
    for process in (whole, *whole.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # processes that the league started end with it
            process.kill()
    league.process.wait()
    until(lambda: all(map(is_frozen, arena.running())), "the end of all that runs")
    again = arena.league(MATCHES)
    other = arena.worker()
    again.until_done()
    other.stop()
    # What was frozen when the processes that look after it were killed too, ends with the next
    # process on the machine that looks where it can create groups. The worker need not have done
    # so: where all matches were over and only not yet recorded, it may still have been starting.
    usable_place.cache_clear()
    usable_place()


def is_frozen(process: psutil.Process) -> bool:
    """Returns whether the kernel has frozen the process, or it has ended."""
    try:
        groups = Path(f"/proc/{process.pid}/cgroup").read_text()
        group = groups.rpartition("0::")[2].strip().rpartition("/")[2]
        events = (usable_place().folder / group / "cgroup.events").read_text() if group else ""
        return "frozen 1" in events
    except OSError:
        return True
