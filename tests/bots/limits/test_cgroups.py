"""Control groups: the arena finds those it may use, sets the limits, and removes the groups
again."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from arena.bots.limits.cgroups import GroupLimits, Place, find_places, make_group, usable_places
from arena.bots.watchdog.leftovers import mark_of

BOUNDS = GroupLimits(memory_bytes=64 << 20, tasks=80, cores=0.5)
DEAD = 2**22 + 1  # process ids are at most 2^22


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder that stands in for a mounted tree of control groups."""
    (tmp_path / "tree" / "service").mkdir(parents=True)
    for folder in (tmp_path / "tree", tmp_path / "tree" / "service"):
        (folder / "cgroup.subtree_control").write_text("")
    return tmp_path / "tree"


def found(tmp_path: Path, mounts: str, own: str) -> dict[str, Place]:
    (tmp_path / "mounts").write_text(mounts)
    (tmp_path / "own").write_text(own)
    return find_places(tmp_path / "mounts", tmp_path / "own")


def test_version_2_is_used_where_the_group_passes_its_controllers_on(
    tmp_path: Path, tree: Path
) -> None:
    own = tree / "service"
    (own / "cgroup.subtree_control").write_text("cpu memory pids")
    places = found(tmp_path, f"cgroup2 {tree} cgroup2 rw 0 0\n", "0::/service\n")
    assert places == {name: Place(own, 2) for name in ("memory", "pids", "cpu")}


def test_version_2_is_used_next_to_a_group_that_cannot_pass_them_on(
    tmp_path: Path, tree: Path
) -> None:
    # A kernel refuses to delegate controllers of a group with processes; a plain folder does not.
    (tree / "cgroup.subtree_control").write_text("memory pids")
    places = found(tmp_path, f"cgroup2 {tree} cgroup2 rw 0 0\n", "0::/service\n")
    assert places == {name: Place(tree, 2) for name in ("memory", "pids")}


def test_version_1_is_used_controller_by_controller(tmp_path: Path, tree: Path) -> None:
    mounts = f"cgroup {tree} cgroup rw,memory 0 0\ncgroup /nowhere cgroup rw,pids 0 0\n"
    places = found(tmp_path, mounts, "4:memory:/service\n8:pids:/\n")
    assert places == {"memory": Place(tree / "service", 1)}


def test_where_there_are_no_groups_none_are_used(tmp_path: Path) -> None:
    assert find_places(tmp_path / "mounts", tmp_path / "not-linux") == {}
    assert found(tmp_path, "proc /proc proc rw 0 0\n", "") == {}


def test_what_a_killed_arena_left_is_removed(tmp_path: Path, tree: Path) -> None:
    left, ours = tree / f"sevens-{DEAD}-0-1", tree / f"sevens-{mark_of(os.getpid())}-1000"
    left.mkdir()
    ours.mkdir()
    found(tmp_path, f"cgroup {tree} cgroup rw,memory 0 0\n", "4:memory:/\n")
    assert not left.exists()
    assert ours.exists()


@pytest.mark.parametrize(
    ("version", "settings"),
    [
        (
            1,
            {
                "memory.limit_in_bytes": "67108864",
                "pids.max": "80",
                "cpu.cfs_period_us": "100000",
                "cpu.cfs_quota_us": "50000",
            },
        ),
        (
            2,
            {
                "memory.max": "67108864",
                "memory.oom.group": "1",
                "pids.max": "80",
                "cpu.max": "50000 100000",
            },
        ),
    ],
)
def test_the_limits_are_written_as_the_kernel_reads_them(
    tree: Path, version: int, settings: dict[str, str]
) -> None:
    group = make_group({name: Place(tree, version) for name in ("memory", "pids", "cpu")}, BOUNDS)
    (folder,) = {entrance.parent for entrance in group.entrances()}
    assert {path.name: path.read_text() for path in folder.iterdir()} == settings


@pytest.mark.parametrize(
    ("file", "text", "controller"),
    [
        ("memory.events", "low 0\nmax 12\noom_kill 0\n", None),
        ("memory.events", "low 0\nmax 12\noom_kill 1\n", "memory"),
        ("pids.events", "max 0\n", None),
        ("pids.events", "max 3\n", "pids"),
    ],
)
def test_the_kernels_counters_say_what_a_bot_ran_out_of(
    tree: Path, file: str, text: str, controller: str | None
) -> None:
    group = make_group({name: Place(tree, 2) for name in ("memory", "pids")}, BOUNDS)
    (group.places["memory"].folder / file).write_text(text)
    assert group.ran_out_of() == controller


async def test_a_group_is_removed_with_what_is_left_in_it() -> None:
    """Uses the controllers that this machine offers."""
    group = make_group(usable_places(), BOUNDS)
    with subprocess.Popen(["sleep", "600"]) as left:
        try:
            for entrance in group.entrances():
                entrance.write_text(str(left.pid))
            await group.remove()
            assert not any(entrance.parent.exists() for entrance in group.entrances())
        finally:
            left.kill()
