"""Features of the Rust SDK alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SDK = Path(__file__).parents[2] / "sdk" / "rust"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("rust", "bubblewrap"),
    pytest.mark.timeout(900),
]


@pytest.mark.nightly
def test_a_vendored_bot_is_built_anywhere_without_a_network(
    arena: Callable[..., Any], tmp_path: Path
) -> None:
    bot = tmp_path / "mybot"
    shutil.copytree(SDK / "examples" / "starter", bot, ignore=shutil.ignore_patterns("bin"))
    subprocess.run(["cargo", "add", "--path", SDK, "sevens-sdk"], cwd=bot, check=True)
    subprocess.run(["make", "--directory", SDK, "vendor", f"BOTS={bot}"], check=True)
    shutil.rmtree(bot)
    shutil.move(SDK / "vendored" / "mybot", bot)
    # As if the crates had never been fetched.
    offline = [
        *("bwrap", "--dev-bind", "/", "/", "--unshare-net"),
        *("--tmpfs", str(cargo_home() / "registry")),
        *("--bind", str(tmp_path), "/tmp", "--chdir", "/tmp/mybot"),
    ]
    build = tomllib.loads((bot / "bot.toml").read_text())["build"]
    subprocess.run([*offline, *build], check=True)
    told = arena("play", "xeri", bot, "builtin:random", "--sandbox", "bubblewrap")
    assert [total["faults"] for total in told["totals"]] == [0, 0]


def cargo_home() -> Path:
    return Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
