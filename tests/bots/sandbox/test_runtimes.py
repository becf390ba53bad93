"""Runtimes: the folders that bots may read because the organiser names them."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

import arena
from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.local.runner import Access
from arena.bots.process.build_process import BUILD_BOUNDS, BuildFailed
from arena.bots.references import find_bot
from arena.bots.sandbox import runtimes
from arena.bots.sandbox.bubblewrap import sandbox_build, sandbox_launch
from arena.bots.sandbox.runtimes import Runtime, Runtimes, WrongRuntimes, named_runtimes
from arena.bots.source.program import Program
from arena.bots.watchdog.watchdog import SandboxWatchdog
from tests.support.puppets import MakePuppet
from tests.support.seats import Seat

inside = pytest.mark.needs("bubblewrap")

Write = Callable[[str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes the organiser's file."""
    file = tmp_path / "runtimes.toml"
    monkeypatch.setenv("ARENA_RUNTIMES", str(file))

    def write(text: str) -> None:
        file.write_text(text)

    return write


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A runtime with a program, next to a file that bots must not see."""
    folder = tmp_path / "machine" / "tools"
    (folder / "bin").mkdir(parents=True)
    (folder / "note").write_text("a note of the tools")
    (folder / "out").symlink_to("../secret")
    (folder.parent / "secret").write_text("nobody's business")
    program = folder / "bin" / "forge"
    program.write_text('#!/bin/sh\necho "forged with $(cat "$TOOLS/note")"\n')
    program.chmod(0o755)
    return folder


def named(folder: Path) -> Runtime:
    return Runtime("tools", folder, {"TOOLS": "{folder}", "NOTE": "{folder}/note"})


def bot_built_by(folder: Path, *words: str) -> Program:
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "x"\nrun = ["x"]\nbuild = {json.dumps(words)}')
    program = find_bot(str(folder))
    assert isinstance(program, Program)
    return program


def built(tmp_path: Path) -> Path:
    folder = tmp_path / "built"
    folder.mkdir()
    return folder


# The organiser's file ----------------------------------------------------------------------------


def test_without_a_file_there_are_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ARENA_RUNTIMES", raising=False)
    monkeypatch.setattr(runtimes, "USUAL_FILE", tmp_path / "no-such-file")
    assert named_runtimes() == ()


def test_the_usual_file_counts_where_no_other_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tools: Path
) -> None:
    monkeypatch.delenv("ARENA_RUNTIMES", raising=False)
    monkeypatch.setattr(runtimes, "USUAL_FILE", tmp_path / "usual.toml")
    (tmp_path / "usual.toml").write_text(f'below = ["{tmp_path}"]\n[tools]\nfolder = "{tools}"')
    assert [runtime.name for runtime in named_runtimes()] == ["tools"]


def test_they_come_in_the_order_of_the_file_with_their_environment(
    write: Write, tools: Path, tmp_path: Path
) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "tools-now").symlink_to(tools)
    write(f"""
        below = ["{tmp_path}"]
        [tools]
        folder = "{tmp_path}/tools-now"
        [cache]
        folder = "{tmp_path}/cache"
        environment = {{ CACHE = "{{folder}}/x" }}
    """)
    assert named_runtimes() == (
        Runtime("tools", tools, {}),
        Runtime("cache", tmp_path / "cache", {"CACHE": "{folder}/x"}),
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[tools", "is not valid TOML"),
        ("tools = 3", "`tools` is 3; write [rust] with folder ="),
        ("[Tools]\nfolder = '/srv'", "`Tools` cannot be a name; write [rust]"),
        ("['../x']\nfolder = '/srv'", "`../x` cannot be a name"),
        ("[tools]", "`tools.folder` is missing"),
        ("[tools]\nfolder = 3", "`tools.folder` is 3"),
        ('[tools]\nfolder = "/\\u0000"', "`tools.folder` is '/\\x00'"),
        ("[tools]\nfolder = '/usr'", "`below` is missing; write below = ["),
        ("below = []\n[tools]\nfolder = '/usr'", "`below` is []; write below = ["),
        ("below = ['srv']\n[tools]\nfolder = '/usr'", "`below.0` is 'srv'; write below = ["),
        ("below = '/srv'\n[tools]\nfolder = '/usr'", "`below` is '/srv'; write below = ["),
        ("[tools]\nfolder = 'usr'", "`tools.folder` is 'usr', which is not an absolute path"),
        ("[tools]\nfolder = '/no/such'", "`tools.folder` is '/no/such', which is not a folder"),
        ("[tools]\nfolder = '/usr/bin/env'", "which is not a folder"),
        ("[tools]\nfolder = '/usr'\npath = 'x'", "`tools.path` is not a field"),
        ("[tools]\nfolder = '/usr'\nenvironment = {'A B' = 'x'}", "`tools.environment.A B` cannot"),
        ("[tools]\nfolder = '/usr'\nenvironment = {A = 3}", "`tools.environment.A` is 3"),
        ("[tools]\nfolder = '/usr'\nenvironment = {PATH = 'x'}", "is set by the arena"),
        ("[tools]\nfolder = '/usr'\nenvironment = {ARENA_TOKEN = 'x'}", "is set by the arena"),
        (
            "[a]\nfolder = '/usr'\nenvironment = {X = '1'}\n"
            "[b]\nfolder = '/usr'\nenvironment = {X = '1'}",
            "`b.environment.X` is set by `a` too",
        ),
        ("[python]\nfolder = '/usr'", "`python` is the arena's own Python for bots"),
    ],
)
def test_a_mistake_is_named_by_its_field(write: Write, text: str, sentence: str) -> None:
    write(text if "below" in text + sentence else f'below = ["/"]\n{text}')
    with pytest.raises(WrongRuntimes) as caught:
        named_runtimes()
    assert sentence in str(caught.value)
    assert f"{os.environ['ARENA_RUNTIMES']}" in str(caught.value)


def test_the_sample_for_organisers_is_such_a_file(write: Write, tools: Path) -> None:
    page = (Path(arena.__file__).parents[1] / "docs" / "submitting.md").read_text()
    [sample] = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    sample = re.sub('folder = ".*?"', f'folder = "{tools}"', sample)
    write(sample.replace('"/srv"', f'"{tools.parent}"'))
    rust, modules = named_runtimes()
    assert (rust.name, rust.environment) == ("rust", {})
    assert (modules.name, modules.environment) == ("go-modules", {"GOMODCACHE": "{folder}"})


def test_a_missing_file_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_RUNTIMES", "/no/such/file.toml")
    with pytest.raises(
        WrongRuntimes, match=r"/no/such/file\.toml, which ARENA_RUNTIMES names, can"
    ):
        named_runtimes()


@pytest.mark.parametrize("folder", ["{tmp}", "{tmp}/machine", "{tmp}/machine/link", "/usr/lib"])
def test_a_folder_elsewhere_is_refused(
    write: Write, tmp_path: Path, tools: Path, folder: str
) -> None:
    (tools.parent / "link").symlink_to(tmp_path)
    folder = folder.format(tmp=tmp_path)
    write(f'below = ["/srv", "{tools.parent}"]\n[tools]\nfolder = "{folder}"')
    with pytest.raises(WrongRuntimes) as caught:
        named_runtimes()
    assert f"`tools.folder` is '{folder}', which is {Path(folder).resolve()}, not" in str(
        caught.value
    )
    assert f"not below /srv or {tools.parent}; move it there" in str(caught.value)


@pytest.mark.parametrize("open_to_all", ["machine", "machine/tools"])
def test_a_folder_that_others_could_change_or_replace_is_refused(
    write: Write, tmp_path: Path, tools: Path, open_to_all: str
) -> None:
    write(f'below = ["{tmp_path}/machine"]\n[tools]\nfolder = "{tools}"')
    (tmp_path / open_to_all).chmod(0o777)
    with pytest.raises(WrongRuntimes, match=f"every user may write to .*/{open_to_all}; run"):
        named_runtimes()
    (tmp_path / open_to_all).chmod(0o755)
    assert named_runtimes() == (Runtime("tools", tools, {}),)


def test_a_folder_of_the_user_without_rights_is_refused(
    write: Write, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(f'below = ["{tools.parent}"]\n[tools]\nfolder = "{tools}"')
    monkeypatch.setattr(runtimes, "NOBODY", os.getuid())
    with pytest.raises(WrongRuntimes, match="belongs to the user nobody; run `chown root"):
        named_runtimes()


# Visible to bots ---------------------------------------------------------------------------------


def test_they_are_bound_read_only_and_found_after_python(tools: Path, tmp_path: Path) -> None:
    program = bot_built_by(tmp_path / "bot", "forge")
    cache = Runtime("cache", tmp_path / "bot", {})
    both = Runtimes(tmp_path / "python", (named(tools), cache))
    (tmp_path / "access").mkdir()
    access, watchdog = Access(tmp_path / "access", "token", None), SandboxWatchdog()
    watchdog.close()
    for launch in (
        sandbox_launch(program, both, access, watchdog),
        sandbox_build(program, both, BUILD_BOUNDS, 5, watchdog),
    ):
        argv = " ".join(launch.argv(3, 4))
        assert f" --ro-bind {tools} /opt/tools --ro-bind {cache.folder} /opt/cache " in argv
        assert launch.environment["PATH"].startswith("/opt/python/bin:/opt/tools/bin:/usr/local")
        assert launch.environment["TOOLS"] == "/opt/tools"
        assert launch.environment["NOTE"] == "/opt/tools/note"


@inside
async def test_a_bot_sees_them_but_cannot_change_them(tools: Path, make_puppet: MakePuppet) -> None:
    async with Host(Isolation.BUBBLEWRAP, runtimes=[named(tools)]) as host:
        seat = Seat(await host.start(make_puppet()), "m")
        await seat.acceptance()

        assert await seat.told("read /opt") == "python tools"
        assert await seat.told("read /opt/tools") == "bin note out"
        assert await seat.told("read /opt/tools/note") == "a note of the tools"
        assert {"TOOLS", "NOTE"} < set((await seat.told("environment")).split())
        for place in ("/opt/tools/x", "/opt/tools/note", "/opt/tools/bin/forge", "/opt/x"):
            assert await seat.told(f"write {place} 0") == "OSError"
        # Nothing else next to them.
        assert await seat.told("read /opt/tools/out") == "FileNotFoundError"
        assert await seat.told(f"read {tools}") == "FileNotFoundError"
        assert await seat.told(f"read {tools.parent}") == "FileNotFoundError"
    assert (tools / "note").read_text() == "a note of the tools"


async def test_a_build_finds_their_programs(
    isolation: Isolation, tools: Path, tmp_path: Path
) -> None:
    program = bot_built_by(tmp_path / "bot", "forge")
    async with Host(isolation, runtimes=[named(tools)]) as host:
        printed = await host.build(program, built(tmp_path))
    assert printed == "forged with a note of the tools\n"


async def test_a_build_that_lacks_one_learns_which_exist(
    isolation: Isolation, tools: Path, tmp_path: Path
) -> None:
    program = bot_built_by(tmp_path / "bot", "sh", "-c", "no-such-compiler bot")
    async with Host(isolation, runtimes=[named(tools)]) as host:
        with pytest.raises(BuildFailed) as caught:
            await host.build(program, built(tmp_path))
    assert str(caught.value) == (
        "The build ended with exit code 127. Besides the system's programs in /usr, bots find these"
        " runtimes here: python, tools."
    )
    assert "no-such-compiler" in caught.value.output


async def test_the_python_for_bots_has_numpy(isolation: Isolation, tmp_path: Path) -> None:
    sum_up = "import numpy; print(numpy.arange(7).sum())"
    program = bot_built_by(tmp_path / "bot", "python", "-c", sum_up)
    async with Host(isolation) as host:
        assert await host.build(program, built(tmp_path)) == "21\n"


# A cache, as docs/submitting.md describes it ------------------------------------------------------

MODULE = "cards.test/suits"
LIBRARY = {
    "go.mod": f"module {MODULE}\n\ngo 1.20\n",
    "suits.go": 'package suits\n\nconst Hearts = "hearts"\n',
}
MAIN = f'package main\n\nimport "{MODULE}"\n\nfunc main() {{ print(suits.Hearts) }}\n'


def publish(proxy: Path) -> None:
    """Puts the library where Go can fetch it without a network."""
    place = proxy / MODULE / "@v"
    place.mkdir(parents=True)
    (place / "list").write_text("v1.0.0\n")
    (place / "v1.0.0.info").write_text('{"Version": "v1.0.0"}')
    (place / "v1.0.0.mod").write_text(LIBRARY["go.mod"])
    with ZipFile(place / "v1.0.0.zip", "w") as archive:
        for name, text in LIBRARY.items():
            archive.writestr(f"{MODULE}@v1.0.0/{name}", text)


def fetch(bot: Path, proxy: Path, cache: Path) -> None:
    """Fills the cache with the modules that the bot needs."""
    environment = os.environ | {
        "GOMODCACHE": str(cache),
        "GOPROXY": f"file://{proxy}",
        "GOSUMDB": "off",
        "GOFLAGS": "-modcacherw",  # so that the test's folder can be removed
    }
    subprocess.run(["go", "mod", "tidy"], cwd=bot, env=environment, check=True)


@inside
@pytest.mark.slow
@pytest.mark.needs("go")
async def test_a_build_takes_modules_from_a_cache(write: Write, tmp_path: Path) -> None:
    publish(tmp_path / "proxy")
    program = bot_built_by(tmp_path / "bot", "go", "run", ".")
    (program.folder / "main.go").write_text(MAIN)
    (program.folder / "go.mod").write_text(f"module bot\n\ngo 1.20\n\nrequire {MODULE} v1.0.0\n")
    fetch(program.folder, tmp_path / "proxy", tmp_path / "cache")
    write(f'''
        below = ["{tmp_path}"]
        [go-modules]
        folder = "{tmp_path}/cache"
        environment = {{ GOMODCACHE = "{{folder}}" }}
    ''')
    async with Host(Isolation.BUBBLEWRAP, runtimes=named_runtimes()) as host:
        assert await host.build(program, built(tmp_path)) == "hearts"
