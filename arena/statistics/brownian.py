"""Brownian motion between two absorbing boundaries: probabilities of leaving and of staying.

The motion starts at 0 with unit variance per unit of time. All formulas follow from the method of
images (each boundary mirrors the start) after a change of the drift (I. V. Girsanov, 1960).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, erfc, exp, log, pi, sqrt

NEGLIGIBLE = 9.0
"""Standard deviations beyond which an image adds nothing."""
ASYMPTOTIC = 20.0
"""From here on `erfc` is near underflow, and its expansion at infinity is exact to 10 digits."""


def left_above(drift: float, lower: float, upper: float, time: float) -> float:
    """Returns the probability of having reached `upper` by then, and not `lower` before it."""
    spread = sqrt(2 * time)
    speed = abs(drift)
    total = 0.0
    for shift in _images(upper - lower, time):
        distance = abs(upper + shift)
        sign = 1 if upper + shift > 0 else -1
        for direction in (-1, 1):
            exponent = drift * upper + direction * distance * speed
            tail = log_erfc((distance + direction * speed * time) / spread)
            total += sign * exp(exponent + tail) / 2
    return min(max(total, 0.0), 1.0)


def left_below(drift: float, lower: float, upper: float, time: float) -> float:
    """Returns the probability of having reached `lower` by then, and not `upper` before it."""
    return left_above(-drift, -upper, -lower, time)


def inside_above(drift: float, lower: float, upper: float, time: float, position: float) -> float:
    """Returns the probability of having reached neither boundary by then, and being at `position`
    or above it."""
    total = 0.0
    for shift in _images(upper - lower, time):
        for image, sign in ((shift, 1), (2 * upper + shift, -1)):
            low = (position - image - drift * time) / sqrt(2 * time)
            high = (upper - image - drift * time) / sqrt(2 * time)
            if low + high < 0:  # the smaller tails lose fewer digits
                low, high = -high, -low
            total += sign * exp(drift * image + log_erfc(low)) / 2
            total -= sign * exp(drift * image + log_erfc(high)) / 2
    return min(max(total, 0.0), 1.0)


def log_erfc(x: float) -> float:
    """Returns log(erfc(x)), also where `erfc` underflows (Abramowitz and Stegun, 7.1.23)."""
    if x < ASYMPTOTIC:
        return log(erfc(x))
    return -x * x - log(x * sqrt(pi)) + log(1 - 1 / (2 * x * x) + 3 / (4 * x**4))


def _images(width: float, time: float) -> Iterator[float]:
    """Yields the distances of the images from the start: all that count at that time."""
    most = ceil(NEGLIGIBLE * sqrt(time) / (2 * width)) + 2
    for number in range(-most, most + 1):
        yield 2 * number * width
