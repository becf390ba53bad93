"""Group differences adjusted for luck keep their expectation, and lose variance."""

from itertools import product
from random import Random
from statistics import fmean, variance

import pytest

from bench.luck import FEWEST_TO_FIT, adjusted


def test_every_sequence_of_luck_weighed_equally_the_mean_stays_exactly() -> None:
    """All sequences of two-sided luck after the groups that only fit: the bot of each group even
    plays differently according to the luck of the group before."""
    fitting = [(0.3, 1.0), (-0.2, -1.0)] * (FEWEST_TO_FIT // 2)
    plain, better = [], []
    for later in product((-1.0, 1.0), repeat=4):
        lucks = [luck for _, luck in fitting] + list(later)
        differences = [difference for difference, _ in fitting]
        for before, luck in zip((0.0, *later), later, strict=False):
            differences.append(0.1 + 0.3 * luck + 0.5 * before * (luck + 1))
        plain.append(sum(differences))
        better.append(sum(adjusted(differences, lucks)))
    assert fmean(better) == pytest.approx(fmean(plain))


def test_a_group_is_never_adjusted_by_itself() -> None:
    rng = Random(1)
    lucks = [rng.gauss(0, 1) for _ in range(30)]
    differences = [luck / 2 + rng.gauss(0, 1) for luck in lucks]
    before = adjusted(differences, lucks)
    changed = adjusted([*differences[:-1], 100.0], lucks)
    assert changed[:-1] == before[:-1]
    assert changed[-1] - before[-1] == pytest.approx(100.0 - differences[-1])


def test_it_removes_the_variance_that_luck_explains(seed: int) -> None:
    rng = Random(seed)
    lucks = [rng.gauss(0, 1) for _ in range(2000)]
    differences = [0.2 + 2 * luck + rng.gauss(0, 1) for luck in lucks]
    left = variance(adjusted(differences, lucks)[FEWEST_TO_FIT:]) / variance(differences)
    assert left == pytest.approx(1 / 5, abs=0.05)


def test_few_groups_are_left_as_they_are() -> None:
    differences = [float(number) for number in range(FEWEST_TO_FIT)]
    assert adjusted(differences, differences) == differences


def test_luck_that_never_differs_changes_nothing() -> None:
    differences = [float(number) for number in range(20)]
    assert adjusted(differences, [0.0] * 20) == differences


def test_each_group_needs_both() -> None:
    with pytest.raises(ValueError, match="2 differences and 1 lucks; each group has both"):
        adjusted([0.0, 1.0], [0.0])
