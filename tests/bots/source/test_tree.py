"""Trees that strangers made are listed, opened and removed, however they are built."""

from __future__ import annotations

import errno
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.bots.source import tree
from arena.bots.source.files import digest, list_content
from arena.bots.source.tree import (
    ContentError,
    leading_out,
    open_file,
    remove_tree,
    temporary_folder,
    try_to_remove,
    walk,
)

DEEP = 5000  # five times Python's limit on recursion; paths have twice PATH_MAX
MEMORY = Path("/dev/shm")


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory where there is one, because disks may take long for thousands of folders.
    (pytest could not remove them if a test failed.)"""
    parent = MEMORY if MEMORY.is_dir() else Path(tempfile.gettempdir())
    with temporary_folder(parent, "sevens-test-") as folder:
        yield folder


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Makes a folder the current one, so that deeper ones need no path."""
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    os.chdir(folder)
    try:
        yield
    finally:
        os.fchdir(before)
        os.close(before)


def nest(folder: Path, depth: int, name: str = "d") -> None:
    """Creates folders in folders, with a file in each."""
    with inside(folder):
        for _ in range(depth):
            Path("file").write_text("x")
            Path(name).mkdir()
            os.chdir(name)


def test_a_walk_yields_all_but_folders(tmp_path: Path) -> None:
    nest(tmp_path, 3)
    (tmp_path / "d" / "link").symlink_to("/")
    os.mkfifo(tmp_path / "d" / "pipe")
    found = {found.name for found in walk(tmp_path)}
    assert found == {"file", "d/file", "d/d/file", "d/link", "d/pipe"}


def test_what_is_ignored_is_not_even_looked_at(tmp_path: Path) -> None:
    hidden = tmp_path / "d" / ".git"
    hidden.mkdir(parents=True)
    nest(hidden, DEEP)
    os.mkfifo(hidden / "pipe")
    (tmp_path / "file").write_text("x")
    assert [found.name for found in walk(tmp_path, lambda name: name == "d/.git")] == ["file"]
    assert [entry.name for entry in list_content(tmp_path)] == ["file"]
    remove_tree(hidden)


@pytest.mark.parametrize(
    ("depth", "name"), [(65, "d"), (2, "d" * 200), (DEEP, "d")], ids=["deep", "long", "very deep"]
)
def test_a_tree_that_is_too_deep_is_refused(tmp_path: Path, depth: int, name: str) -> None:
    nest(tmp_path, depth, name)
    with pytest.raises(ContentError, match="more than 64 folders deep or has a path longer than"):
        list_content(tmp_path)
    remove_tree(tmp_path)


def test_folders_count_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "ENTRIES_LIMIT", 20)
    for number in range(21):
        (tmp_path / str(number)).mkdir()
    with pytest.raises(ContentError, match="more than 20 files and folders"):
        list_content(tmp_path)


def test_a_walk_leaves_no_descriptor_open(tmp_path: Path) -> None:
    nest(tmp_path, 30)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    walking = walk(tmp_path)
    for _ in range(20):
        next(walking)
    walking.close()  # type: ignore[attr-defined]
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


class TestOpening:
    def test_a_regular_file_is_read(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        with open_file(tmp_path / "file") as file:
            assert file.read() == b"x"

    def test_nothing_else_is(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")  # without a writer, an ordinary open would never return
        (tmp_path / "link").symlink_to("/etc/hostname")
        for path in (tmp_path / "pipe", tmp_path / "link", tmp_path, Path("/dev/zero")):
            with pytest.raises(ContentError, match="is not a regular file"):
                open_file(path)

    def test_what_is_not_there_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            open_file(tmp_path / "nothing")

    def test_a_digest_never_waits_for_what_replaced_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        content = list_content(tmp_path)
        (tmp_path / "file").unlink()
        os.mkfifo(tmp_path / "file")
        with pytest.raises(ContentError, match="is not a regular file"):
            digest(content)


class TestRemoving:
    def test_any_depth_and_any_permissions(self, tmp_path: Path) -> None:
        top = tmp_path / "top"
        top.mkdir()
        nest(top, DEEP)
        nest(top / "d", 30, "d" * 250)  # far beyond PATH_MAX
        locked = top / "locked" / "inner"
        locked.mkdir(parents=True)
        (locked / "file").write_text("x")
        locked.chmod(0)
        locked.parent.chmod(0)
        os.mkfifo(top / "pipe")
        (top / "link").symlink_to(tmp_path)
        top.chmod(0)
        remove_tree(top)
        assert list(tmp_path.iterdir()) == []

    def test_what_links_lead_to_stays(self, tmp_path: Path) -> None:
        (tmp_path / "kept").mkdir()
        (tmp_path / "kept" / "file").write_text("x")
        (tmp_path / "top" / "d").mkdir(parents=True)
        for place in (tmp_path / "top" / "link", tmp_path / "top" / "d" / "link"):
            place.symlink_to(tmp_path / "kept")
        remove_tree(tmp_path / "top")
        assert [path.name for path in tmp_path.rglob("*")] == ["kept", "file"]

    def test_what_cannot_be_removed_is_only_logged(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        try_to_remove(tmp_path / "nothing")
        assert not caplog.records

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        (tmp_path / "file").write_text("x")
        monkeypatch.setattr(os, "unlink", refuse)
        try_to_remove(tmp_path)
        assert "cannot be removed: [Errno 1] Operation not permitted" in caplog.text

    def test_a_temporary_folder_is_gone_whatever_was_left_in_it(self, tmp_path: Path) -> None:
        with temporary_folder(tmp_path, "some-") as folder:
            nest(folder, DEEP)
        assert list(tmp_path.iterdir()) == []


class TestLinks:
    @pytest.mark.parametrize(
        ("links", "out"),
        [
            ({"a": "b"}, []),
            ({"d/a": "../b"}, []),
            ({"d/a": "../../b"}, ["d/a"]),
            ({"a": "/"}, ["a"]),
            ({"a": "."}, []),
            ({"a": "d/../.."}, ["a"]),
            ({"a": "a"}, ["a"]),
            ({"a": "b", "b": "a"}, ["a", "b"]),
            ({"a": "d/b/../x", "d/b": "../.."}, ["a", "d/b"]),
            ({"a": "d/b/x", "d/b": "../e"}, []),
        ],
    )
    def test_which_lead_out(self, links: dict[str, str], out: list[str]) -> None:
        assert list(leading_out(links)) == out

    def test_the_kernel_agrees(self, tmp_path: Path) -> None:
        seed = random.randrange(2**32)
        print(f"seed {seed}")
        random_ = random.Random(seed)
        parts = ["a", "b", "c", "..", "."]
        for number in range(300):
            top = tmp_path / str(number)
            (top / "a" / "b").mkdir(parents=True)
            (top / "b").mkdir()
            links = {}
            for name in random_.sample(["c", "a/c", "a/a", "a/b/c", "b/a", "b/c"], k=3):
                links[name] = "/".join(random_.choices(parts, k=random_.randint(1, 4)))
                (top / name).symlink_to(links[name])
            found = set(leading_out(links))
            outcomes = {name: outcome(top, name) for name in links}
            assert found >= {name for name, told in outcomes.items() if told in ("out", "loop")}
            assert found <= {name for name, told in outcomes.items() if told != "inside"}

    def test_a_maze_of_links_is_refused_at_once(self) -> None:
        maze = {f"{n}": f"{n + 1}/../{n + 1}/../{n + 1}" for n in range(30)}
        many = {f"x{n}": "0/" * 30 + "0" for n in range(5000)}
        before = time.process_time()
        assert list(leading_out(maze))  # more links than the kernel follows
        with pytest.raises(ContentError, match="too many links to links"):
            list(leading_out({"0": "d/" * 40, **many}))
        assert time.process_time() - before < 5


def outcome(top: Path, link: str) -> str:
    """Returns where the kernel ends up when it follows a link: inside, out, nowhere or in a
    loop."""
    try:
        opened = os.open(top / link, os.O_PATH)
    except OSError as error:
        return "loop" if error.errno == errno.ELOOP else "nowhere"
    try:
        place = Path(f"/proc/self/fd/{opened}").readlink()
        return "inside" if place.is_relative_to(top) else "out"
    finally:
        os.close(opened)
