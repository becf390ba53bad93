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

from arena.bots.interface import ArenaFailure
from arena.bots.limits import GroupLimits, delegation, make_group, usable_place
from arena.bots.limits.cgroup import Cgroup
from arena.bots.limits.delegation import CONTROLLERS, CgroupParent, find_place
from arena.bots.watchdog import mark_of
from tests.support.clock import use_processor
from tests.support.seats import until

BOUNDS = GroupLimits(memory_bytes=64 << 20, tasks=80, cores=0.5)
DEAD = 2**22 + 1  # process ids are at most 2^22
ALL = frozenset(CONTROLLERS)


class Tree:
    """A folder that plays a mounted tree of control groups, with this process in its `service`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.service = folder / "service"
        self.service.mkdir(parents=True)
        for group in (folder, self.service):
            for file in ("cgroup.subtree_control", "cgroup.procs"):
                (group / file).write_text("")
            (group / "cgroup.controllers").write_text("cpuset cpu memory pids hugetlb\n")
        (self.service / "cgroup.type").write_text("domain\n")

    def found(self, own: str = "0::/service\n", kind: str = "cgroup2") -> CgroupParent | None:
        mounts = self.folder.with_name("mounts")
        mounts.write_text(f"proc /proc proc rw 0 0\n{kind} {self.folder} {kind} rw,memory 0 0\n")
        self.folder.with_name("own").write_text(own)
        return find_place(mounts, self.folder.with_name("own"))


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path / "tree")


def test_groups_are_created_where_the_own_group_delegates_its_controllers(tree: Tree) -> None:
    (tree.service / "cgroup.subtree_control").write_text("cpu memory pids\n")
    assert tree.found() == CgroupParent(tree.service, ALL)


def test_a_group_without_processes_is_made_to_delegate_what_limits_bots(tree: Tree) -> None:
    (tree.service / "cgroup.subtree_control").write_text("cpuset\n")
    tree.found()
    assert (tree.service / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"


def test_a_group_with_processes_is_left_as_it_is_and_its_parent_is_used(tree: Tree) -> None:
    (tree.service / "cgroup.procs").write_text("1\n")
    (tree.folder / "cgroup.subtree_control").write_text("cpu memory pids\n")
    assert tree.found() == CgroupParent(tree.folder, ALL)
    assert (tree.service / "cgroup.subtree_control").read_text() == ""


def test_in_a_container_the_mount_point_may_be_the_own_group(tree: Tree) -> None:
    for file in ("cgroup.controllers", "cgroup.subtree_control"):
        (tree.folder / file).write_text("pids\n")
    assert tree.found("0::/not/seen/from/here\n") == CgroupParent(tree.folder, frozenset({"pids"}))


def test_version_1_is_not_used(tree: Tree) -> None:
    assert tree.found("4:memory:/service\n0::/\n", kind="cgroup") is None


def test_without_control_groups_there_is_no_place(tmp_path: Path) -> None:
    assert find_place(tmp_path / "mounts", tmp_path / "not-linux") is None


async def test_without_a_place_nothing_is_limited_counted_or_frozen() -> None:
    group = make_group(None, BOUNDS)
    assert (group.entrances(), group.memory_bytes()) == ([], None)
    assert (group.ran_out_of(), group.ran_into()) == (None, None)
    assert not await group.freeze()
    group.thaw()
    group.kill()
    await group.remove()


def test_what_a_killed_arena_left_is_removed(tree: Tree) -> None:
    left = tree.service / f"sevens-{DEAD}-0-1"
    ours = tree.service / f"sevens-{mark_of(os.getpid())}-1000"
    left.mkdir()
    ours.mkdir()
    tree.found()
    assert not left.exists()
    assert ours.exists()


def test_the_limits_are_written_as_the_kernel_reads_them(tree: Tree) -> None:
    group = make_group(CgroupParent(tree.service, ALL), BOUNDS)
    (folder,) = (entrance.parent for entrance in group.entrances())
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "memory.max": "67108864",
        "memory.oom.group": "1",
        "pids.max": "80",
        "cpu.max": "50000 100000",
    }


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
    tree: Tree, file: str, text: str, controller: str | None
) -> None:
    group = make_group(CgroupParent(tree.folder, ALL), BOUNDS)
    (group.place.folder / file).write_text(text)
    assert group.ran_out_of() == controller


def test_a_limit_further_up_is_not_blamed_on_the_group(tree: Tree) -> None:
    place = CgroupParent(tree.folder, ALL)
    killed, refused, at_fault = (make_group(place, BOUNDS) for _ in range(3))
    (killed.place.folder / "memory.events").write_text("oom 0\noom_kill 1\n")
    for group in (refused, at_fault):
        (group.place.folder / "pids.events").write_text("max 3\n")
        (group.place.folder / "pids.current").write_text("30\n")
    (tree.folder / "pids.max").write_text("100\n")
    (tree.folder / "pids.current").write_text("99\n")
    assert (killed.ran_out_of(), killed.ran_into()) == (None, "memory")
    assert (refused.ran_out_of(), refused.ran_into()) == (None, "pids")
    (tree.folder / "pids.current").write_text("50\n")
    assert (at_fault.ran_out_of(), at_fault.ran_into()) == ("pids", None)


HOG = """
import os, sys
for entrance in sys.argv[1:]:
    with open(entrance, "w") as file:
        file.write(str(os.getpid()))
b"x" * (256 << 20)
"""


@pytest.mark.nightly  # machines with groups of both versions have no such controller to delegate
@pytest.mark.needs("a memory controller")
@pytest.mark.parametrize(("own", "above", "blamed"), [(32, 64, True), (512, 64, False)])
async def test_only_its_own_limit_is_a_groups_fault(own: int, above: int, blamed: bool) -> None:
    """Uses the memory controller of this machine."""
    memory = frozenset({"memory"})
    outer = make_group(
        CgroupParent(usable_place().folder, memory), GroupLimits(above << 20, 80, 1.0)
    )
    (outer.place.folder / "cgroup.subtree_control").write_text("+memory")
    inner = make_group(CgroupParent(outer.place.folder, memory), GroupLimits(own << 20, 80, 1.0))
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


@pytest.fixture
def group_of_busy(busy: subprocess.Popen[bytes]) -> Cgroup:
    """A group of this machine, with the busy process in it."""
    group = make_group(usable_place(), BOUNDS)
    for entrance in group.entrances():
        entrance.write_text(str(busy.pid))
    return group


def seconds_used(process: subprocess.Popen[bytes]) -> float:
    times = psutil.Process(process.pid).cpu_times()
    return times.user + times.system


def test_a_group_that_cannot_be_thawed_is_a_failure_unless_it_is_gone(tmp_path: Path) -> None:
    Cgroup(CgroupParent(tmp_path / "gone", frozenset())).thaw()
    (tmp_path / "cgroup.freeze").mkdir()
    with pytest.raises(ArenaFailure, match="A frozen bot cannot be let go on"):
        Cgroup(CgroupParent(tmp_path, frozenset())).thaw()


@pytest.mark.needs("control groups")
async def test_what_is_frozen_uses_no_time_and_can_be_ended(
    busy: subprocess.Popen[bytes], group_of_busy: Cgroup
) -> None:
    assert await group_of_busy.freeze()
    used = seconds_used(busy)
    busy.send_signal(signal.SIGCONT)
    use_processor(0.3)
    assert seconds_used(busy) == used
    group_of_busy.thaw()
    await until(lambda: seconds_used(busy) > used)
    assert await group_of_busy.freeze()
    await group_of_busy.remove()
    assert await asyncio.to_thread(busy.wait, 5) == -signal.SIGKILL
    assert not group_of_busy.place.folder.exists()


@pytest.mark.needs("control groups")
async def test_what_is_cancelled_while_it_freezes_leaves_nothing_frozen(
    busy: subprocess.Popen[bytes], group_of_busy: Cgroup
) -> None:
    freezing = asyncio.create_task(group_of_busy.freeze())
    await asyncio.sleep(0)
    freezing.cancel()
    await asyncio.wait((freezing,))
    assert freezing.cancelled()
    used = seconds_used(busy)
    await until(lambda: seconds_used(busy) > used)
    await group_of_busy.remove()


@pytest.mark.needs("control groups")
async def test_the_memory_of_a_group_is_known_with_and_without_its_controller(
    group_of_busy: Cgroup,
) -> None:
    await until(lambda: (group_of_busy.memory_bytes() or 0) > 1 << 20)
    await group_of_busy.remove()
    assert group_of_busy.memory_bytes() == 0


@pytest.mark.needs("control groups")
async def test_a_group_is_removed_with_what_is_left_in_it(
    busy: subprocess.Popen[bytes], group_of_busy: Cgroup
) -> None:
    await group_of_busy.remove()
    assert not group_of_busy.place.folder.exists()
    assert await asyncio.to_thread(busy.wait, 5) == -signal.SIGKILL


@pytest.fixture
def controller() -> Iterator[str]:
    """Any controller of this machine's version 2, which its root delegates for as long."""
    root = usable_place().folder
    name = (root / "cgroup.controllers").read_text().split()[0]
    delegated = (root / "cgroup.subtree_control").read_text().split()
    (root / "cgroup.subtree_control").write_text(f"+{name}")
    yield name
    if name not in delegated:
        (root / "cgroup.subtree_control").write_text(f"-{name}")


@pytest.mark.needs("the root of control groups")
async def test_the_kernel_agrees_on_which_groups_can_delegate(
    busy: subprocess.Popen[bytes],
    controller: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(delegation, "CONTROLLERS", (controller,))
    nothing = frozenset[str]()
    outer = make_group(CgroupParent(usable_place().folder, nothing), BOUNDS)
    full = make_group(outer.place, BOUNDS)
    try:
        (full.place.folder / "cgroup.procs").write_text(str(busy.pid))
        own = tmp_path / "own"
        own.write_text(f"0::/{full.place.folder.relative_to(usable_place().folder)}\n")
        found = find_place(Path("/proc/self/mounts"), own)
        assert found == CgroupParent(outer.place.folder, frozenset({controller}))
        with pytest.raises(OSError, match="busy"):
            (full.place.folder / "cgroup.subtree_control").write_text(f"+{controller}")
        next_to_it = make_group(CgroupParent(found.folder, nothing), BOUNDS)
        (next_to_it.place.folder / "cgroup.procs").write_text(str(busy.pid))
        await next_to_it.remove()
    finally:
        await full.remove()
        await outer.remove()
