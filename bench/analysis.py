"""`python -m bench analysis`: the blunders on which analyses with two seeds agree, and the CPU time
of an analysis.

The matches are of Xeri, played at random. With compiled rules the marks are the same, and sooner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from time import process_time

from rich.table import Table

from arena.analysis import BUDGET, analyse
from arena.views.matches.analysis import Mark, WeighedDecision
from tests.support.played_matches import played

MATCHES = 60
SEEDS = ("one", "two")
Pair = tuple[WeighedDecision, ...]
"""A decision with the one seed and with the other."""


def tables() -> Iterator[Table]:
    """Yields the agreement, the blunders that only one analysis has, and the cost.
    `docs/analysis.md` has the figures."""
    matches = [list(_pairs(number)) for number in range(MATCHES)]
    yield _agreement(matches)
    apart = Table("match", "decision", "chosen", *(f"seed {seed}" for seed in SEEDS))
    for number, pairs in enumerate(matches):
        for pair in pairs:
            if len({_is_blunder(decision) for decision in pair}) > 1:
                apart.add_row(
                    str(number), str(pair[0].decision), pair[0].action, *map(_weighed, pair)
                )
    yield apart
    cost = Table("deals", "decisions", "playouts for each", "CPU seconds")
    for deals in (1, 5):
        record = played("xeri", deals=deals).record
        began = process_time()
        found = analyse(record, budget=BUDGET, seed=SEEDS[0])
        seconds = process_time() - began
        cost.add_row(str(deals), str(len(found.decisions)), str(BUDGET), f"{seconds:.1f}")
    yield cost


def _pairs(number: int) -> Iterator[Pair]:
    record = played("xeri", number, deals=1).record
    found = [analyse(record, budget=BUDGET, seed=seed).decisions for seed in SEEDS]
    return zip(*found, strict=True)


def _agreement(matches: Sequence[Sequence[Pair]]) -> Table:
    """Of the blunders of one analysis, the share that the other one has. The error is that of a
    ratio of sums over independent matches."""
    counts = [Counter(sum(map(_is_blunder, pair)) for pair in pairs) for pairs in matches]
    common, alone = (sum(count[marked] for count in counts) for marked in (2, 1))
    blunders = 2 * common + alone
    share = 2 * common / blunders
    error = sqrt(sum((2 * (1 - share) * c[2] - share * c[1]) ** 2 for c in counts)) / blunders
    table = Table("matches", "decisions", "blunders of both", "of one", "agreement")
    decisions = sum(map(len, matches))
    row = (len(matches), decisions, common, alone, f"{share:.1%} ± {error:.1%}")
    table.add_row(*map(str, row))
    return table


def _is_blunder(decision: WeighedDecision) -> bool:
    return decision.mark is Mark.BLUNDER


def _weighed(decision: WeighedDecision) -> str:
    loss = decision.loss
    return f"{loss.mean:.3f} ± {loss.error:.3f} on {decision.actions[0].action}"
