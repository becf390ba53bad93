"""Is something at fault more often here than elsewhere? A sequential test of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

WORSE = 0.8
"""The alternative: of the pairs that differ, the share in which the fault is here. It is that of
fourfold odds."""


@dataclass
class RateAlarm:
    """The evidence of pairs that differ: one play here, one of the same kind elsewhere, of which
    one was at fault. If faults are not more frequent here, it is here in at most half of them.

    A gambler splits 1 over all pairs that may come, 1/(k(k + 1)) on the k-th, and from that one on
    stakes it on WORSE again and again, so that a pair multiplies it by 2 WORSE or by 2(1 - WORSE).
    If faults are not more frequent here, no fortune grows on average, and the chance that
    `fortune` ever reaches 1/alpha is at most alpha (J. Ville, 1939). Because the stakes begin at
    every pair, a change after n pairs costs 2 log n of evidence, however good the time before was.

    `pairs`: that have come. `staked`: the fortune of the stakes that have begun.
    `run`: the logarithm of the likelihood ratio since it was last 0 or less: the change, if there
      is one, is there.
    """

    pairs: int = 0
    staked: float = 0.0
    run: float = 0.0

    @property
    def fortune(self) -> float:
        """The evidence: what was staked, and what is still to be."""
        return self.staked + 1 / (self.pairs + 1)

    def add(self, *, here: bool) -> None:
        """Counts a pair. `here`: whether the fault was here."""
        self.pairs += 1
        factor = 2 * (WORSE if here else 1 - WORSE)
        self.staked = (self.staked + 1 / (self.pairs * (self.pairs + 1))) * factor
        self.run = max(0.0, self.run + log(factor))
