"""An arena installed from its wheels: everything works outside a checkout."""

from __future__ import annotations

import email
import json
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from arena import __version__
from arena.bots.source.files import digest, list_content
from arena.cli.commands.bot.languages import LANGUAGES
from tests.packaging.conftest import Installed

REPOSITORY = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def test_bots_are_played_and_the_runtime_is_built_without_an_index(
    installed: Installed, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy\n"
        "from sevens_sdk import Bot, run\n"
        "class Mine(Bot):\n"
        "    def choose(self, decision):\n"
        "        return decision.legal[int(numpy.argmax([len(decision.legal)]))]\n"
        "run(Mine)\n"
    )
    play = ("play", "xeri", "mine.py", "builtin:random", "-n", "2", "--sandbox", "none", "--json")
    told = json.loads(installed("arena", *play, cwd=tmp_path))
    assert not any(row["faults"] for row in told["totals"]), told
    runtime = installed.folder / "share" / "sevens-arena" / "runtimes" / "python"
    sources = runtime.glob("lib/python*/site-packages/sevens_sdk/__init__.py")
    assert len(list(sources)) == 1


@pytest.mark.nightly
def test_the_sdk_plays_on_the_oldest_packages_that_it_allows(
    installed: Installed, wheels: list[Path], tmp_path: Path
) -> None:
    [sdk] = [wheel for wheel in wheels if wheel.name.startswith("sevens_sdk")]
    with zipfile.ZipFile(sdk) as archive:
        ranges = metadata_of(archive).get_all("Requires-Dist", [])
    asked = [re.split(">=|,", each)[:2] for each in ranges]
    oldest = [f"{name}=={version}" for name, version in asked]
    venv.create(tmp_path / "oldest")
    python = str(tmp_path / "oldest" / "bin" / "python")
    install = ["-m", "pip", "--python", python, "install", "--quiet", str(sdk), *oldest]
    subprocess.run([sys.executable, *install], check=True)
    bot = tmp_path / "bot"
    bot.mkdir()
    shutil.copy(REPOSITORY / "sdk" / "python" / "examples" / "starter" / "bot.py", bot)
    (bot / "bot.toml").write_text(f'name = "oldest"\nrun = [{json.dumps(python)}, "bot.py"]\n')
    play = ("play", "xeri", "bot", "builtin:random", "-n", "2", "--sandbox", "none", "--json")
    told = json.loads(installed("arena", *play, cwd=tmp_path))
    assert not any(row["faults"] for row in told["totals"]), told


def metadata_of(wheel: zipfile.ZipFile) -> Message:
    """Returns what an index shows of a wheel."""
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    return email.message_from_bytes(wheel.read(name))


def test_the_demo_has_its_bots(installed: Installed, demonstrated: Path) -> None:
    told = json.loads(installed("arena", "ratings", "demo-xeri", "--json", cwd=demonstrated))
    assert "xeri-fisher" in str(told)


def test_the_page_of_a_game_is_there(installed: Installed, tmp_path: Path) -> None:
    told = json.loads(installed("arena", "games", "show", "xeri", "--json", cwd=tmp_path))
    page = Path(told["page"])
    assert page.is_relative_to(installed.folder)
    assert page.read_text() == (REPOSITORY / "docs" / "games" / "xeri.md").read_text()


def test_new_bots_begin_as_from_a_checkout(installed: Installed, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    script = f"""
from arena.cli.app import run
for language in {[*LANGUAGES]}:
    assert run(["bot", "new", f"my-{{language}}", "--language", language]) == 0
"""
    subprocess.run([sys.executable, "-c", script], cwd=here, check=True)
    installed("python", "-c", script, cwd=there)
    assert digest(list_content(here)) == digest(list_content(there))


def test_the_rules_are_told_to_be_plain(installed: Installed, tmp_path: Path) -> None:
    told = json.loads(installed("arena", "version", "--json", cwd=tmp_path))
    assert (told["arena"], told["rules"]) == (__version__, "plain")


def test_the_wheels_say_what_an_index_shows(wheels: list[Path]) -> None:
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            said = metadata_of(archive)
        assert said["Version"] == __version__
        assert said["License-Expression"] == "Apache-2.0"
        assert said["Description-Content-Type"] == "text/markdown"
        assert "Sevens Arena contributors" in said["Author"]
        assert "Typing :: Typed" in said.get_all("Classifier", [])
        assert said["Keywords"]
        assert said["Summary"]
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
        packages = {Path(name).parent for name in names if name.endswith("/__init__.py")}
        tops = {package for package in packages if len(package.parts) == 1}
        assert {str(top / "py.typed") for top in tops} <= {*names}
