"""The 95 % interval of a mean, as the tables print it."""

from __future__ import annotations

WIDTH = 1.96


def with_interval(mean: float, error: float, digits: int = 2) -> str:
    """Returns a mean with half the width of its interval. `error`: the standard error."""
    return f"{mean:+.{digits}f} ± {WIDTH * error:.{digits}f}"
