"""Only one arena at a time can use a data folder."""

import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.errors import Kind
from arena.store.data_folder import DataFolder, Hold, Holder
from arena.store.open import open_store
from arena.store.schema import Role
from arena.store.tokens import create_token
from tests.support.failing import failing

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
        with failing(Kind.UNREACHABLE, match=sentence), data.hold():
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


@pytest.mark.slow
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
        assert ("ArenaError: Another arena" in said) is (process is not holder)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_is_closed_to_others(tmp_path: Path) -> None:
    above = tmp_path / "above"
    data = DataFolder(above / "data")
    with data.hold():
        assert (mode(data.path), mode(data.lock)) == (0o700, 0o600)
    made = DataFolder(tmp_path / "made")
    made.make()
    assert mode(made.path) == 0o700


@pytest.mark.parametrize("found", [0o755, 0o770, 0o701, 0o777])
def test_an_older_folder_is_closed_to_others_with_a_word(
    tmp_path: Path, found: int, caplog: pytest.LogCaptureFixture
) -> None:
    data = DataFolder(tmp_path / "data")
    open_store(data.path, "write").close()
    (data.path / "incoming-7").mkdir()
    data.path.chmod(found)
    for _ in range(2):
        with data.hold():
            assert mode(data.path) == 0o700
    assert [record.getMessage() for record in caplog.records] == [
        f"other users could enter the data folder {data.path}; now they cannot"
    ]


def test_a_folder_that_is_not_the_arenas_alone_stays_open_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "thesis.tex").touch()
    tmp_path.chmod(0o1777)
    with DataFolder(tmp_path).hold():
        assert mode(tmp_path) == 0o1777
    assert "use a folder of its own, or `chmod 700` it" in caplog.text


def test_what_is_secret_is_closed_to_others_in_an_open_folder(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    tmp_path.chmod(0o755)
    data = DataFolder(tmp_path)
    with data.hold() as hold:
        hold.announce("redis://:password@localhost")
        store = open_store(tmp_path, "write")
        with store.writing() as session:
            create_token(session, "Ann", Role.OWNER)
        secret = [path for path in tmp_path.iterdir() if path.name != "thesis.tex"]
        assert {path.name for path in secret} >= {
            *("arena.lock", "arena.sqlite3", "arena.sqlite3-wal", "arena.sqlite3-shm")
        }
        assert {path.name: mode(path) for path in secret} == {path.name: 0o600 for path in secret}
        store.close()


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
        hold.announce("unix:///tmp/redis.sock", only=ladders)
        holder = DataFolder(tmp_path).holder()
        assert holder is not None
        assert (holder.runs("main"), holder.runs("other")) == runs
