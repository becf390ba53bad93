"""Features of the Go SDK alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.support.sdk_examples import Examples, make

SDK = Path(__file__).parents[2] / "sdk" / "go"

pytestmark = [pytest.mark.slow, pytest.mark.needs("go"), pytest.mark.timeout(600)]


@pytest.mark.nightly
def test_no_two_goroutines_race_in_the_sdks_own_tests() -> None:
    make("go", "race")


@pytest.mark.nightly
def test_a_vendored_example_is_built_anywhere_without_a_network(
    examples_of: Examples, tmp_path: Path
) -> None:
    examples_of("go")  # so that no other test builds them while they are copied
    # A copy of the SDK, so that other tests never see it half vendored.
    shutil.copytree(SDK, tmp_path / "sdk", ignore=shutil.ignore_patterns("vendor"))
    subprocess.run(["make", "vendor"], cwd=tmp_path / "sdk", check=True)
    alone = (tmp_path / "sdk" / "examples" / "starter").rename(tmp_path / "mybot")
    shutil.rmtree(tmp_path / "sdk")
    (alone / "bot").unlink(missing_ok=True)
    manifest = tomllib.loads((alone / "bot.toml").read_text())
    offline = {"GOPROXY": "off", "GOMODCACHE": str(tmp_path / "none"), "GOFLAGS": ""}
    subprocess.run(manifest["build"], cwd=alone, env={**os.environ, **offline}, check=True)
    assert (alone / manifest["run"][0]).is_file()
