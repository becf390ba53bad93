"""Features of the Java SDK alone."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.references import find_bot
from arena.bots.source.program import Program
from tests.support.sdk_examples import Examples

TOP = Path(__file__).parents[2]

# The first build fetches gRPC and Maven's plugins, which takes a minute or two.
pytestmark = [pytest.mark.slow, pytest.mark.needs("java"), pytest.mark.timeout(900)]

CRASHING = """
import sevens.sdk.*;

public class Crashing extends Bot {
    @Override
    public Choice choose(Decision decision) {
        throw new ArithmeticException("at 2 a.m.");
    }

    public static void main(String[] arguments) {
        new Runner(Crashing::new).run();
    }
}
"""


def test_a_crash_is_reported_with_its_place(examples_of: Examples, tmp_path: Path) -> None:
    (tmp_path / "Crashing.java").write_text(CRASHING)
    classes = examples_of("java") / "starter" / "target" / "bot.jar"
    (tmp_path / "bot.toml").write_text(
        f'name = "crashing"\nrun = ["java", "-cp", "{classes}", "Crashing.java"]\n'
    )
    play = ["play", "xeri", tmp_path, "builtin:random", "--sandbox", "none", "--json"]
    arena = subprocess.run(
        [sys.executable, "-m", "arena.cli", *map(str, play)],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    [match] = json.loads(arena.stdout)["matches"]
    [fault] = match["seats"][0]["faults"]
    assert (fault["kind"], fault["decision"]) == ("crashed", 1)
    assert "The bot's process ended with exit code 1." in fault["sentence"]
    assert fault["words"].splitlines()[-4:] == [
        "java.lang.ArithmeticException: at 2 a.m.",
        "\tat Crashing.choose(Crashing.java:7)",
        f"This was the bot's choice in decision 1 of match {match['match']} (xeri), seat 0.",
        "java.lang.ArithmeticException: at 2 a.m.",
    ]


@pytest.mark.nightly
@pytest.mark.needs("bubblewrap")
def test_a_vendored_example_is_built_by_the_arena(
    arena: Callable[..., Any], tmp_path: Path
) -> None:
    bot = vendored(tmp_path)
    built = tmp_path / "built"
    built.mkdir()
    asyncio.run(build(bot, built))
    told = arena("play", "xeri", built, "builtin:random", "--sandbox", "bubblewrap")
    assert [total["faults"] for total in told["totals"]] == [0, 0]


async def build(bot: Path, built: Path) -> None:
    program = find_bot(str(bot))
    assert isinstance(program, Program)
    async with Host(Isolation.BUBBLEWRAP) as host:
        await host.build(program, built)


def vendored(folder: Path) -> Path:
    """A copy of an example, with everything that it is built from."""
    # From a copy of the SDK, so that other tests never see it half vendored.
    sdk = folder / "sdk" / "java"
    made = shutil.ignore_patterns("vendor*", "target")
    shutil.copytree(TOP / "sdk" / "java", sdk, ignore=made)
    shutil.copytree(TOP / "proto", folder / "proto")
    subprocess.run(["make", "vendor"], cwd=sdk, check=True)
    bot = folder / "mybot"
    shutil.copytree(sdk / "examples" / "starter", bot, ignore=made)
    (sdk / "vendor").rename(bot / "vendor")
    return bot
