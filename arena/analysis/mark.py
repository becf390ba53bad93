"""The marks of decisions that lost more than chance explains."""

from __future__ import annotations

from arena.views.matches.analysis import Estimate, Mark

SIGNIFICANT = 2.0  # standard errors that a loss must exceed


FROM = {Mark.BLUNDER: 0.1, Mark.MISTAKE: 0.05, Mark.INACCURACY: 0.02}
"""The smallest loss of each, the largest first, as a share of the ranks from first to last."""


def least_blunder(last: int) -> float:
    """Returns the smallest loss of a blunder where the last rank is `last`."""
    return FROM[Mark.BLUNDER] * (last - 1)


def mark_of(loss: Estimate, last: int) -> Mark | None:
    """Returns the mark of a loss of expected rank where the last rank is `last`; None without a
    mark."""
    if loss.mean <= SIGNIFICANT * loss.error:
        return None
    return next((mark for mark, least in FROM.items() if loss.mean >= least * (last - 1)), None)
