"""Features of the C++ SDK alone."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bots.host import Host
from arena.bots.references import find_kept

SDK = Path(__file__).parents[2] / "sdk" / "cpp"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("c++", "bubblewrap"),
    pytest.mark.timeout(600),
]


def test_the_first_bot_of_the_readme_is_the_starter() -> None:
    assert programs_in_readme()[0] == (SDK / "examples" / "starter" / "bot.cpp").read_text()


@pytest.mark.nightly
def test_the_second_is_vendored_built_as_a_server_builds_it_and_plays(
    arena: Callable[..., Any], tmp_path: Path
) -> None:
    bot = tmp_path / "mybot"
    shutil.copytree(
        SDK / "examples" / "starter", bot, ignore=shutil.ignore_patterns("bot", "vendor")
    )
    (bot / "bot.cpp").write_text(programs_in_readme()[1])
    subprocess.run(["make", "--directory", SDK, "vendor", f"BOTS={bot}"], check=True)
    built = tmp_path / "built"
    built.mkdir()
    asyncio.run(build(bot, built))
    told = arena("play", "xeri", built, "builtin:random", "--sandbox", "bubblewrap")
    assert [total["faults"] for total in told["totals"]] == [0, 0]


async def build(bot: Path, built: Path) -> None:
    """Builds in the sandbox and within the limits that apply to a submitted bot."""
    async with Host() as host:
        await host.build(find_kept(bot), built)


def programs_in_readme() -> list[str]:
    return re.findall(r"```cpp\n(.*?)```", (SDK / "README.md").read_text(), re.DOTALL)
