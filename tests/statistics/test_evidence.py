"""The evidence: exactly fair under exchange, in any unit, and strong where the difference is."""

from __future__ import annotations

from itertools import accumulate, product
from math import exp, inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.statistics import Evidence

SIZES = st.lists(st.sampled_from([0.0, 0.01, 0.5, 1.0, 7.0, 1e6]), min_size=1, max_size=8)


def evidence(differences: list[float]) -> Evidence:
    found = Evidence()
    for difference in differences:
        found.add(difference)
    return found


@given(SIZES)
def test_over_all_signs_its_mean_is_exactly_1(sizes: list[float]) -> None:
    values = [
        exp(evidence([s * size for s, size in zip(signs, sizes, strict=True)]).for_new)
        for signs in product((-1, 1), repeat=len(sizes))
    ]
    assert sum(values) / len(values) == pytest.approx(1)


def test_over_all_signs_it_seldom_ever_reaches_twenty() -> None:
    """Ville's inequality, by enumeration of 12 groups of growing size."""
    sizes = list(accumulate([1.0] * 12))
    reached = 0
    for signs in product((-1, 1), repeat=12):
        found, most = Evidence(), -inf
        for sign, size in zip(signs, sizes, strict=True):
            found.add(sign * size)
            most = max(most, found.for_new)
        reached += exp(most) >= 20
    assert 0 < reached / 2**12 <= 1 / 20


@given(SIZES, st.sampled_from([0.001, 0.5, 3.0, 1e4]))
def test_the_unit_of_points_does_not_count(sizes: list[float], unit: float) -> None:
    scaled = evidence([unit * size for size in sizes])
    assert scaled.for_new == pytest.approx(evidence(sizes).for_new)


@given(SIZES)
def test_the_other_side_is_the_mirror(sizes: list[float]) -> None:
    mirrored = evidence([-size for size in sizes])
    assert mirrored.for_old == pytest.approx(evidence(sizes).for_new)


def test_it_does_not_overflow() -> None:
    assert evidence([1.0] * 10_000).for_new > 6000
    assert evidence([0.0] * 10).for_new == pytest.approx(0, abs=1e-12)


def test_it_finds_a_difference(seed: int) -> None:
    print(f"seed {seed}")
    rng = Random(seed)
    assert evidence([rng.gauss(0.5, 1) for _ in range(400)]).for_new > 20
