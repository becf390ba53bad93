"""Control groups: the arena finds those it may use, sets the limits, and removes the groups
again."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from arena.bots.limits.cgroups import GroupLimits, find_places, make_group, usable_places
from arena.bots.limits.group import Place
from arena.bots.watchdog.leftovers import mark_of
from tests.support.seats import until

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
        ("memory.events", "low 0\nmax 12\noom 1\noom_kill 1\n", "memory"),
        ("memory.events", "low 0\nmax 12\noom 0\noom_kill 1\n", None),
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


def test_a_limit_further_up_is_not_blamed_on_the_group(tree: Path) -> None:
    places = {name: Place(tree, 2) for name in ("memory", "pids")}
    killed, refused, at_fault = (make_group(places, BOUNDS) for _ in range(3))
    (killed.places["memory"].folder / "memory.events").write_text("oom 0\noom_kill 1\n")
    for group in (refused, at_fault):
        (group.places["pids"].folder / "pids.events").write_text("max 3\n")
        (group.places["pids"].folder / "pids.current").write_text("30\n")
    (tree / "pids.max").write_text("100\n")
    (tree / "pids.current").write_text("99\n")
    assert (killed.ran_out_of(), killed.ran_into()) == (None, "memory")
    assert (refused.ran_out_of(), refused.ran_into()) == (None, "pids")
    (tree / "pids.current").write_text("50\n")
    assert (at_fault.ran_out_of(), at_fault.ran_into()) == ("pids", None)


HOG = """
import os, sys
for entrance in sys.argv[1:]:
    with open(entrance, "w") as file:
        file.write(str(os.getpid()))
b"x" * (256 << 20)
"""


@pytest.mark.needs("a memory controller")
@pytest.mark.parametrize(("own", "above", "blamed"), [(32, 64, True), (512, 64, False)])
async def test_only_its_own_limit_is_a_groups_fault(own: int, above: int, blamed: bool) -> None:
    """Uses the memory controller of this machine."""
    place = usable_places()["memory"]
    outer = make_group({"memory": place}, GroupLimits(above << 20, 80, 1.0))
    folder = outer.places["memory"].folder
    if place.version == 2:
        (folder / "cgroup.subtree_control").write_text("+memory")
    inner = make_group({"memory": Place(folder, place.version)}, GroupLimits(own << 20, 80, 1.0))
    try:
        hog = [sys.executable, "-c", HOG, *map(str, inner.entrances())]
        ended = await asyncio.to_thread(subprocess.run, hog, check=False)
        assert ended.returncode == -signal.SIGKILL
        assert (inner.ran_out_of() == "memory") is blamed
        assert (inner.ran_into() == "memory") is not blamed
    finally:
        await inner.remove()
        await outer.remove()


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        try:
            yield process
        finally:
            process.kill()


def seconds_used(process: subprocess.Popen[bytes]) -> float:
    times = psutil.Process(process.pid).cpu_times()
    return times.user + times.system


@pytest.mark.needs("a freezer")
async def test_what_is_frozen_uses_no_time_and_can_be_ended(
    busy: subprocess.Popen[bytes],
) -> None:
    """Uses the freezer of this machine."""
    group = make_group(usable_places(), BOUNDS)
    for entrance in group.entrances():
        entrance.write_text(str(busy.pid))
    assert await group.freeze()
    used = seconds_used(busy)
    busy.send_signal(signal.SIGCONT)
    await asyncio.sleep(0.3)
    assert seconds_used(busy) == used
    group.thaw()
    await until(lambda: seconds_used(busy) > used)
    assert await group.freeze()
    await group.remove()
    assert await asyncio.to_thread(busy.wait, 5) == -signal.SIGKILL
    assert not any(place.folder.exists() for place in group.places.values())


@pytest.mark.needs("a freezer")
async def test_what_is_cancelled_while_it_freezes_leaves_nothing_frozen(
    busy: subprocess.Popen[bytes],
) -> None:
    group = make_group(usable_places(), BOUNDS)
    for entrance in group.entrances():
        entrance.write_text(str(busy.pid))
    freezing = asyncio.create_task(group.freeze())
    await asyncio.sleep(0)
    freezing.cancel()
    await asyncio.wait((freezing,))
    assert freezing.cancelled()
    used = seconds_used(busy)
    await until(lambda: seconds_used(busy) > used)
    await group.remove()


async def test_without_a_freezer_nothing_is_frozen(tree: Path) -> None:
    group = make_group({"pids": Place(tree, 2)}, BOUNDS)
    assert not await group.freeze()


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
