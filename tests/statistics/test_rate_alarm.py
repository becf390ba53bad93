"""The sequential test of whether faults are more frequent at a place."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from arena.statistics import RateAlarm

ALPHA = 0.02
RUNS = 1000
PAIRS = 250


def alarmed(rng: Random, share: float, pairs: int, *, good: int = 0) -> int:
    """Returns the pair at which the alarm is given; 0 if it is not. `good`: pairs before that, of
    which half are here."""
    alarm = RateAlarm()
    for pair in range(1, good + pairs + 1):
        alarm.add(here=rng.random() < (0.5 if pair <= good else share))
        if alarm.fortune >= 1 / ALPHA:
            return pair
    return 0


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_a_place_that_is_no_worse_is_seldom_blamed(share: float) -> None:
    rng = Random(7)
    false = sum(alarmed(rng, share, PAIRS) > 0 for _ in range(RUNS))
    beyond_chance = 4.8 * sqrt(RUNS * ALPHA * (1 - ALPHA))  # of the normal distribution 1e-6
    assert false <= RUNS * ALPHA + beyond_chance
    assert (false > 0) is (share == 0.5)


def test_the_fortune_of_fair_pairs_is_one_on_average() -> None:
    """Exactly, over all sequences of ten pairs."""
    total = 0.0
    for sequence in range(2**10):
        alarm = RateAlarm()
        for pair in range(10):
            alarm.add(here=bool(sequence >> pair & 1))
        total += alarm.fortune
    assert total / 2**10 == pytest.approx(1)


def test_a_worse_place_is_found_soon_even_after_a_long_good_time() -> None:
    rng = Random(7)
    assert alarmed(rng, 1.0, 100) == 10
    soon = [alarmed(rng, 0.9, 300) for _ in range(200)]
    assert all(soon)
    assert sum(soon) / len(soon) < 25
    late = [alarmed(rng, 0.95, 300, good=300) for _ in range(200)]
    found = [pair - 300 for pair in late if pair > 300]
    assert len(found) > 190
    assert sum(found) / len(found) < 60


def test_the_change_is_where_the_evidence_began() -> None:
    alarm = RateAlarm()
    for here in (True, False, False, True):
        alarm.add(here=here)
    assert alarm.run > 0
    alarm.add(here=False)
    assert alarm.run == 0
