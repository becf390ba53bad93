"""Only one arena at a time can use a data folder."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.store.data_folder import DataFolder, FolderInUse, Hold, Holder

HOLD = """
import sys
from pathlib import Path
from arena.store.data_folder import DataFolder
with DataFolder(Path(sys.argv[1])).hold() as hold:
    hold.announce("unix:///tmp/redis.sock")
    print("held", flush=True)
    sys.stdin.read()
"""


def starting_process(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def holding_process(folder: Path) -> subprocess.Popen[str]:
    process = starting_process(folder)
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_arena_is_refused_and_told_who_holds_the_folder(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    with holding_process(tmp_path) as process:
        assert data.holder() == Holder(process.pid, "unix:///tmp/redis.sock")
        sentence = rf"Another arena \(process {process.pid}\) holds the data folder"
        with pytest.raises(FolderInUse, match=sentence), data.hold():
            pass
        process.communicate()
    assert data.holder() is None
    with data.hold():
        assert data.holder() is not None


def test_an_arena_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    with holding_process(tmp_path) as process:
        process.kill()
    assert DataFolder(tmp_path).holder() is None
    with DataFolder(tmp_path).hold():
        pass


def test_what_a_killed_arena_announced_is_never_taken_for_the_next_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with holding_process(tmp_path) as process:
        process.kill()
    seen: list[Holder | None] = []

    def announce(hold: Hold, redis: str) -> None:
        seen.append(DataFolder(tmp_path).holder())

    monkeypatch.setattr(Hold, "announce", announce)
    with DataFolder(tmp_path).hold():
        assert seen == [Holder(pid=0, redis="")]


def test_of_many_that_start_at_once_one_holds_the_folder(tmp_path: Path) -> None:
    processes = [starting_process(tmp_path) for _ in range(6)]
    while len(running := [each for each in processes if each.poll() is None]) > 1:
        time.sleep(0.02)
    [holder] = running
    found = DataFolder(tmp_path).holder()
    assert found is not None
    assert found.pid == holder.pid
    for process in processes:
        _, said = process.communicate()
        assert ("FolderInUse: Another arena" in said) is (process is not holder)


def test_nobody_holds_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert DataFolder(tmp_path / "nowhere").holder() is None


@pytest.mark.parametrize(
    ("ladders", "runs"), [(None, (True, True)), (["main"], (True, False)), ([], (False, False))]
)
def test_who_holds_the_folder_says_which_ladders_it_runs(
    tmp_path: Path, ladders: list[str] | None, runs: tuple[bool, bool]
) -> None:
    with DataFolder(tmp_path).hold() as hold:
        holder = DataFolder(tmp_path).holder()
        assert holder is not None
        assert not holder.runs("main")  # it is starting
        hold.announce("unix:///tmp/redis.sock", ladders=ladders)
        holder = DataFolder(tmp_path).holder()
        assert holder is not None
        assert (holder.runs("main"), holder.runs("other")) == runs
