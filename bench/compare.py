"""`python -m bench compare`: how often a comparison is wrong, and how many groups it needs, by the
shape of the group differences.

The differences are drawn, not played: only so are the truth and its shape known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from heapq import heappop, heappush
from math import sqrt
from random import Random
from statistics import NormalDist, fmean

from rich.table import Table

from arena.statistics import Design, SequentialTest, Verdict

RUNS = 1000
SEED = 7
IN_FLIGHT = (1, 16, 64)
FASTER = 4
"""In the table of arrivals, a group that NEW wins takes so many times less than one it loses."""

Draw = Callable[[Random], float]


def plain(rng: Random) -> float:
    return rng.gauss(0, 0.2)


def ties(rng: Random) -> float:
    """Five values, as two matches of two seats have."""
    return rng.choices((-1.0, -0.5, 0.0, 0.5, 1.0), (1, 2, 6, 2, 1))[0]


def heavy_tails(rng: Random) -> float:
    """A t distribution with four degrees of freedom, cut at 1."""
    value = 0.1 * rng.gauss(0, 1) / sqrt(rng.gammavariate(2, 0.5))
    return min(max(value, -1.0), 1.0)


def right_skewed(rng: Random) -> float:
    return min(0.15 * rng.expovariate(1), 1.0)


def left_skewed(rng: Random) -> float:
    return -right_skewed(rng)


def rare_losses(rng: Random) -> float:
    """A gain of a hundredth, and once in a hundred groups everything is lost."""
    return -1.0 if rng.random() < 0.01 else 0.01


def frequent_losses(rng: Random) -> float:
    """A gain of a tenth, and once in ten groups nearly everything is lost."""
    return -0.9 if rng.random() < 0.1 else 0.1


SHAPES: Mapping[str, Draw] = {
    "normal": plain,
    "five values, many ties": ties,
    "heavy tails": heavy_tails,
    "right-skewed": right_skewed,
    "left-skewed": left_skewed,
    "rare large losses": rare_losses,
    "frequent large losses": frequent_losses,
}


def tables() -> Iterator[Table]:
    """Yields the tables."""
    yield _by_shape()
    yield _by_strength()
    yield _by_arrival()


def _by_shape() -> Table:
    terms = Design(widest=1.0)
    table = Table(title=f"Equals called better; {RUNS:,} runs each, alpha {terms.alpha:g}")
    for column in ("differences", "better", "without the guard", "undecided", "groups"):
        table.add_column(column, justify="left" if column == "differences" else "right")
    for name, draw in SHAPES.items():
        shifted = with_strength(draw, 0.0)
        ends = [run(terms, shifted, Random(f"{SEED} {name} {number}")) for number in range(RUNS)]
        verdicts = [test.verdict for test, _ in ends]
        table.add_row(
            name,
            f"{verdicts.count(Verdict.BETTER) / RUNS:.1%}",
            f"{sum(unguarded for _, unguarded in ends) / RUNS:.1%}",
            f"{verdicts.count(Verdict.UNDECIDED) / RUNS:.1%}",
            f"{fmean(test.moments.groups for test, _ in ends):,.0f}",
        )
    return table


def _by_strength() -> Table:
    terms = Design(widest=1.0)
    table = Table(title=f"Power and length, normal differences; {RUNS:,} runs each")
    for column in ("strength t", "better", "undecided", "groups", "a fixed number needs"):
        table.add_column(column, justify="right")
    fixed = fixed_number(terms)
    for t in (-0.2, 0.0, 0.1, 0.2, 0.4):
        draw = with_strength(plain, t)
        ends = [run(terms, draw, Random(f"{SEED} {t} {number}"))[0] for number in range(RUNS)]
        table.add_row(
            f"{t:+.1f}",
            f"{sum(test.verdict is Verdict.BETTER for test in ends) / RUNS:.1%}",
            f"{sum(test.verdict is Verdict.UNDECIDED for test in ends) / RUNS:.1%}",
            f"{fmean(test.moments.groups for test in ends):,.0f}",
            f"{fixed:,.0f}",
        )
    return table


def _by_arrival() -> Table:
    table = Table(
        title=f"Equals called better if wins end {FASTER} times sooner; {RUNS // 5:,} runs each"
    )
    for column in ("groups in flight", "counted as they started", "counted as they arrive"):
        table.add_column(column, justify="right")
    for at_once in IN_FLIGHT:
        shares = [
            sum(
                arrived(Random(f"{SEED} {at_once} {number}"), at_once, by_start=by_start)
                for number in range(RUNS // 5)
            )
            / (RUNS // 5)
            for by_start in (True, False)
        ]
        table.add_row(str(at_once), *(f"{share:.1%}" for share in shares))
    return table


def with_strength(draw: Draw, t: float) -> Draw:
    """Returns the shape, shifted so that its mean is `t` standard deviations."""
    rng = Random(SEED)
    values = [draw(rng) for _ in range(200_000)]
    mean = fmean(values)
    deviation = sqrt(fmean((value - mean) ** 2 for value in values))
    shift = t * deviation - mean
    return lambda rng: draw(rng) + shift


def run(terms: Design, draw: Draw, rng: Random) -> tuple[SequentialTest, bool]:
    """Returns the test at its verdict, and whether "better" would have been its verdict without
    the guard."""
    test, unguarded = SequentialTest(terms), False
    while test.verdict is Verdict.RUNNING:
        test.add(draw(rng))
        unguarded = unguarded or test.ratio >= terms.upper
    return test, unguarded


def fixed_number(terms: Design) -> float:
    """Returns how many groups a test of a fixed number needs for the same errors."""
    normal = NormalDist()
    wanted = normal.inv_cdf(1 - terms.alpha) + normal.inv_cdf(1 - terms.beta)
    return (wanted / (terms.t1 - terms.t0)) ** 2


def arrived(rng: Random, at_once: int, *, by_start: bool) -> bool:
    """Returns whether equals are called better, with so many groups in flight."""
    test = SequentialTest(Design(widest=None))
    results: dict[int, float] = {}
    flying: list[tuple[float, int, float]] = []
    now, started, counted = 0.0, 0, 0
    while True:
        while len(flying) < at_once:
            difference = plain(rng)
            lasts = rng.expovariate(1) * (1 if difference > 0 else FASTER)
            heappush(flying, (now + lasts, started, difference))
            started += 1
        now, number, difference = heappop(flying)
        results[number if by_start else len(results)] = difference
        while counted in results:
            if test.add(results[counted]) is not Verdict.RUNNING:
                return test.verdict is Verdict.BETTER
            counted += 1
