"""A short run of `make chaos`, and its schedule."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from random import Random

import pytest

from bench.chaos.schedule import schedule

FAULTS = ("one", "two", "three", "four")


def test_a_seed_gives_the_same_faults_and_none_again_before_all_others() -> None:
    blows = schedule(Random(7), FAULTS, 600.0)
    assert blows == schedule(Random(7), FAULTS, 600.0)
    assert {blow.fault for blow in blows[: len(FAULTS)]} == set(FAULTS)
    for fault in FAULTS:
        for earlier, later in pairwise(blow for blow in blows if blow.fault == fault):
            assert earlier.ends_s <= later.begins_s


@pytest.mark.slow
@pytest.mark.needs("openssl")
def test_a_short_season_gets_over_all_that_happens_to_it() -> None:
    command = [sys.executable, "-m", "bench", "chaos", "--seconds", "20", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing lost" in done.stdout
