"""Builds of bots: what they leave is taken only if a bot may have it, whatever they tried."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.process.build_process import BuildBounds, BuildFailed
from arena.bots.references import find_bot
from arena.bots.source.files import list_content
from arena.bots.source.program import Program
from arena.bots.source.tree import remove_tree

BOUNDS = BuildBounds(seconds=60.0, disk_mb=8, files=500)
SANDBOX = pytest.param(Isolation.BUBBLEWRAP, marks=pytest.mark.needs("bubblewrap"))
inside = pytest.mark.parametrize("isolation", [SANDBOX])
either = pytest.mark.parametrize("isolation", [SANDBOX, Isolation.NONE])

NEST = """
import os
for _ in range(1900):
    os.mkdir("d")
    os.chdir("d")
"""
BEYOND_PATH_MAX = """
import os
for _ in range(40):
    os.mkdir("d" * 250)
    os.chdir("d" * 250)
open("deep", "w").write("x" * 1000)
"""


def bot_built_by(folder: Path, script: str) -> Program:
    folder.mkdir()
    (folder / "build.py").write_text(script)
    words = json.dumps(["python", "build.py"])
    (folder / "bot.toml").write_text(f'name = "x"\nrun = ["x"]\nbuild = {words}')
    program = find_bot(str(folder))
    assert isinstance(program, Program)
    return program


class Built:
    """A bot whose build is the script."""

    def __init__(self, isolation: Isolation, place: Path, script: str) -> None:
        self._isolation = isolation
        self._program = bot_built_by(place / "bot", script)
        self.folder = place / "built"
        self.folder.mkdir()

    async def run(self) -> list[str]:
        """Returns the names of all that the build left, links and folders included."""
        async with Host(self._isolation) as host:
            await host.build(self._program, self.folder, BOUNDS)
        paths = [path.relative_to(self.folder) for path in self.folder.rglob("*")]
        return sorted(str(path) for path in paths if path.name not in ("build.py", "bot.toml"))

    async def failed(self) -> BuildFailed:
        with pytest.raises(BuildFailed) as caught:
            await self.run()
        return caught.value


@either
async def test_its_files_are_taken_and_the_source_is_left_as_it_was(
    isolation: Isolation, tmp_path: Path
) -> None:
    script = "open('build.py', 'w').write('#'); import os; os.makedirs('a/b'); open('a/c', 'w')"
    build = Built(isolation, tmp_path, script)
    assert [name for name in await build.run() if name != "a/b"] == ["a", "a/c"]
    assert (build.folder / "build.py").read_text() == "#"
    assert (tmp_path / "bot" / "build.py").read_text() == script


@either
async def test_what_is_not_part_of_a_bot_is_not_taken(isolation: Isolation, tmp_path: Path) -> None:
    script = "import os; os.mkdir('.git'); os.mkfifo('.git/x'); open('.git/y', 'w').write('yy')"
    assert await Built(isolation, tmp_path, script).run() == []


@either
async def test_hard_links_and_locked_folders_are_taken_as_files(
    isolation: Isolation, tmp_path: Path
) -> None:
    script = """
import os
os.mkdir("locked")
open("locked/a", "w").write("same")
os.link("locked/a", "b")
os.symlink("b", "c")
os.chmod("locked", 0 if os.getuid() else 0o100)
os.chmod("b", 0o755)
os.chmod(".", 0)
"""
    build = Built(isolation, tmp_path, script)
    assert [name for name in await build.run() if name != "locked"] == ["b", "c", "locked/a"]
    kinds = [entry.kind for entry in list_content(build.folder)]
    assert kinds == ["executable", "file", "file", "link", "executable"]
    assert (build.folder / "locked" / "a").stat().st_nlink == 1


@either
@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("import os; os.mkfifo('x')", "neither a file nor a folder nor a link"),
        ("import socket; socket.socket(socket.AF_UNIX).bind('x')", "neither a file nor a folder"),
        ("import os; os.symlink('/etc/passwd', 'x')", "leads out of the bot's folder"),
        ("import os; os.symlink('x', 'x')", "leads out of the bot's folder"),
        ("open('x', 'w').truncate(1 << 40)", "500 MiB"),
        (NEST, "deep"),
        (BEYOND_PATH_MAX, "too long|deep|path longer"),
    ],
)
async def test_what_no_bot_may_have_is_refused(
    isolation: Isolation, script: str, words: str, tmp_path: Path
) -> None:
    build = Built(isolation, tmp_path, script)
    failure = await build.failed()
    assert any(word in f"{failure} {failure.output}" for word in words.split("|"))
    assert str(tmp_path) not in str(failure)
    remove_tree(tmp_path / "bot")


@inside
@pytest.mark.parametrize(
    "script",
    [
        "open('big', 'wb').write(bytes(9 << 20))",
        "import os; f = open('gone', 'wb'); os.unlink('gone'); f.write(bytes(9 << 20))",
        "import os; os.mkdir('.git'); open('.git/big', 'wb').write(bytes(9 << 20))",
        "open('/tmp/big', 'wb').write(bytes(9 << 20))",
        f"{BEYOND_PATH_MAX}open('big', 'wb').write(bytes(9 << 20))",
    ],
    ids=["a file", "unlinked", "in .git", "in /tmp", "beyond PATH_MAX"],
)
async def test_its_disk_is_bounded(isolation: Isolation, script: str, tmp_path: Path) -> None:
    failure = await Built(isolation, tmp_path, script).failed()
    assert "No space left on device" in failure.output
    assert ("The build filled its" in failure.output) is ("unlink" not in script)


@inside
@pytest.mark.parametrize("place", [".", "/tmp", "/dev/shm"])
async def test_its_files_are_counted_while_it_runs(
    isolation: Isolation, place: str, tmp_path: Path
) -> None:
    script = f"import time\nfor n in range(600): open(f'{place}/{{n}}', 'w')\ntime.sleep(9)"
    failure = await Built(isolation, tmp_path, script).failed()
    assert "The build created more than 500 files" in f"{failure} {failure.output}"


@inside
async def test_its_files_are_counted_even_if_it_stops_the_process_that_counts_them(
    isolation: Isolation, tmp_path: Path
) -> None:
    script = "import os, signal, time; os.kill(os.getppid(), signal.SIGSTOP)\n"
    script += "for n in range(600): open(f'/tmp/{n}', 'w')\ntime.sleep(30)"
    failure = await Built(isolation, tmp_path, script).failed()
    assert str(failure) == "The build created more than 500 files, which is the most it may have."


@inside
async def test_nothing_of_it_goes_on_while_its_files_are_taken(
    isolation: Isolation, tmp_path: Path
) -> None:
    script = """
import os, time
if os.fork() == 0:
    os.setsid()
    while True:
        open("a", "w").write(str(time.time()))
        open("b", "w").write(open("a").read())
time.sleep(0.2)
"""
    build = Built(isolation, tmp_path, script)
    assert set(await build.run()) <= {"a", "b"}


@inside
async def test_a_build_that_ends_the_process_that_takes_its_files_fails(
    isolation: Isolation, tmp_path: Path
) -> None:
    script = "import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(9)"
    build = Built(isolation, tmp_path, script)
    assert str(await build.failed()).startswith("The build was ended by SIGKILL.")
    assert not any(build.folder.iterdir())


SEEN = """
import json, os, sys
def seen(path):
    found = os.lstat(path)
    return [oct(found.st_mode), found.st_mtime_ns // 10**9, found.st_rdev, found.st_uid]
places = [f"/dev/{name}" for name in sorted(os.listdir("/dev"))]
places += ["/dev", "/run", "/run/build.py", "/tmp", "/usr/bin/env", sys.executable, "/etc", "/opt"]
known = {place: seen(place) for place in places}
known["random"] = len(os.urandom(8)), open("/dev/null", "wb").write(b"x")
known["left in /tmp"] = os.listdir("/tmp")
json.dump(known, open("seen.json", "w"))
"""
HARM = """
import contextlib, os
with contextlib.suppress(OSError):
    open("/tmp/left", "w").write("x")
for place in places:
    for harm in (
        lambda: os.utime(place, (7, 7), follow_symlinks=False),
        lambda: os.setxattr(place, "user.left", b"x"),
        lambda: os.chown(place, 1, 1),
        lambda: os.chmod(place, 0),
        lambda: os.rename(place, place + "-gone"),
        lambda: os.remove(place),
    ):
        with contextlib.suppress(OSError):
            harm()
"""


@pytest.fixture
def machines_devices() -> Iterator[None]:
    """The machine's own devices stay as they are; should they not, they are mended."""
    before = {path: path.stat() for path in map(Path, ("/dev/null", "/dev/zero", "/dev/urandom"))}
    yield
    changed = []
    for path, was in before.items():
        now = path.stat()
        if (now.st_mode, now.st_uid) != (was.st_mode, was.st_uid):
            path.chmod(was.st_mode & 0o777)
            changed.append(path)
    assert changed == []


@inside
@pytest.mark.usefixtures("machines_devices")
async def test_no_harm_that_a_build_does_reaches_another(
    isolation: Isolation, tmp_path: Path
) -> None:
    """A build before, a harmful one, and one after, in one arena."""
    found = []
    async with Host(isolation) as host:
        for name, script in (("before", SEEN), ("harm", SEEN + HARM), ("after", SEEN)):
            place = tmp_path / name
            place.mkdir()
            (place / "built").mkdir()
            await host.build(bot_built_by(place / "bot", script), place / "built", BOUNDS)
            found.append(json.loads((place / "built" / "seen.json").read_text()))
    # What belongs to a build alone is made when it begins.
    own = {path for path in found[0] if path.startswith("/dev/")} | {"/dev", "/run", "/tmp", "/etc"}
    for one in found:
        for path in own | {"/opt"}:
            one[path][1] = 0
    assert found[0] == found[1] == found[2]
