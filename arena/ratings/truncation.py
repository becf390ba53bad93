"""The normal distribution cut off by a result, for many results at once."""

from __future__ import annotations

from math import erfc, pi, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.ratings.normal import Floats

Bools: TypeAlias = NDArray[np.bool_]

FAR = 6.0  # from here on 30 levels of the continued fraction are exact to the last digits
LEVELS = 30
NEAREST = -37.0  # exp(x²/2) overflows beyond, and the ratio is as good as infinite


def slopes(mean: Floats, variance: Floats, margin: Floats, drawn: Bools) -> tuple[Floats, Floats]:
    """Returns how the logarithm of a result's probability changes with the mean of the difference:
    its first derivative, and its second one with the sign changed.

    `mean`, `variance`: of the difference between the performances of two teams, which is normal.
    `margin`: the first wins if the difference is larger than this.
    `drawn`: the teams tied: the difference was at most the margin, either way.
    """
    spread = np.sqrt(variance)
    ahead, cut = mean / spread, margin / spread
    first, second = np.empty_like(mean), np.empty_like(mean)
    first[~drawn], second[~drawn] = _won(cut[~drawn] - ahead[~drawn])
    first[drawn], second[drawn] = _drawn(ahead[drawn], cut[drawn])
    return first / spread, second / variance


def _won(missing: Floats) -> tuple[Floats, Floats]:
    """`missing`: how far the mean is below the margin, in standard deviations."""
    first = 1 / mills(missing)
    return first, first * (first - missing)


def _drawn(ahead: Floats, cut: Floats) -> tuple[Floats, Floats]:
    """Everything is divided by the density at the nearer margin, which may be tiny."""
    distance = np.abs(ahead)
    fall = -np.expm1(-2 * distance * cut)  # the share by which the density at the other is less
    mass = mills(distance - cut) - (1 - fall) * mills(distance + cut)
    first = fall / mass
    second = first**2 + (cut * (2 - fall) - distance * fall) / mass
    return -np.sign(ahead) * first, second


def mills(x: Floats) -> Floats:
    """Returns Mills' ratio: the normal distribution's mass beyond x over its density at x."""
    x = np.maximum(x, NEAREST)
    far = x > FAR
    ratio = np.empty_like(x)
    ratio[far] = _continued_fraction(x[far])
    near = x[~far]
    beyond = np.fromiter(map(erfc, (near / sqrt(2)).tolist()), np.float64, near.size)
    ratio[~far] = np.exp(near**2 / 2) * sqrt(pi / 2) * beyond
    return ratio


def _continued_fraction(x: Floats) -> Floats:
    """Abramowitz and Stegun, 26.2.14."""
    value = x
    for level in range(LEVELS, 0, -1):
        value = x + level / value
    return 1 / value
