"""Features of the TypeScript SDK alone."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.sdk_examples import Examples

SDK = Path(__file__).parents[2] / "sdk" / "typescript"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("node", "bubblewrap"),
]


@pytest.mark.nightly
def test_a_bot_of_its_own_is_built_without_network(
    arena: Callable[..., Any], examples_of: Examples, tmp_path: Path
) -> None:
    bot = tmp_path / "elsewhere" / "mybot"
    example = examples_of("typescript") / "starter"
    shutil.copytree(example, bot, ignore=shutil.ignore_patterns("dist"))
    subprocess.run(["npm", "install", "--install-links", SDK], cwd=bot, check=True)
    bot = bot.rename(tmp_path / "mybot")
    build = tomllib.loads((bot / "bot.toml").read_text())["build"]
    offline = ["bwrap", "--dev-bind", "/", "/", "--unshare-net"]
    subprocess.run([*offline, *build], cwd=bot, check=True)
    told = arena("play", "xeri", bot, "builtin:random")
    assert [total["faults"] for total in told["totals"]] == [0, 0]
