"""The draw of a bracket after pools: two of one pool meet as late as can be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from arena.tournament.elimination.bracket import bracket_order

TOO_EARLY = 64
"""A meeting of two of a pool counts as so many that come a round later."""


@lru_cache(64)
def kept_apart(tiers: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Returns for each seed the place of its entrant in these tiers, one after the other, from 0.

    `tiers`: the pools of those who go on: of the winners, of the second ones, and so on. Those of
    one tier exchange their seeds as long as that lets two of a pool meet later.
    """
    draw = _Draw([pool for tier in tiers for pool in tier])
    start, better = 0, True
    while better:
        start, better = 0, False
        for tier in tiers:
            better |= draw.improve(range(start, start + len(tier)))
            start += len(tier)
    return tuple(draw.by_seed())


class _Draw:
    """A draw. `pools`: of the entrants, who first have the seeds in this order.

    `slots`: the place of each entrant in the bracket. Two meet in round *r* if *r* bits make the
    difference between their places.
    """

    def __init__(self, pools: Sequence[int]) -> None:
        self.pools = pools
        order = bracket_order(len(pools))
        slot = {seed: place for place, seed in enumerate(order)}
        self.slots = [slot[seed] for seed in range(1, len(pools) + 1)]
        self.of_seed = [*self.slots]
        self.rounds = (len(order) - 1).bit_length()
        self.members: defaultdict[int, list[int]] = defaultdict(list)
        for one, pool in enumerate(pools):
            self.members[pool].append(one)

    def improve(self, tier: range) -> bool:
        """Exchanges entrants of a tier; returns whether that has helped."""
        better = False
        for one in tier:
            pool = self.pools[one]
            if self._nearness({pool}) > self._least(len(self.members[pool])):
                better |= any(self._exchange(one, other) for other in tier)
        return better

    def by_seed(self) -> list[int]:
        """Returns the entrant of each seed."""
        at = {slot: one for one, slot in enumerate(self.slots)}
        return [at[slot] for slot in self.of_seed]

    def _exchange(self, one: int, other: int) -> bool:
        """Exchanges two if that helps."""
        slots, pools = self.slots, {self.pools[one], self.pools[other]}
        before = self._nearness(pools)
        slots[one], slots[other] = slots[other], slots[one]
        if self._nearness(pools) < before:
            return True
        slots[one], slots[other] = slots[other], slots[one]
        return False

    def _nearness(self, pools: set[int]) -> int:
        return sum(
            TOO_EARLY ** (self.rounds - (self.slots[one] ^ self.slots[other]).bit_length())
            for pool in pools
            for one, other in combinations(self.members[pool], 2)
        )

    def _least(self, count: int) -> int:
        """Returns the nearness of a pool of that many which is spread evenly."""
        if count < 2:
            return 0
        half = count // 2
        within = self._least(half) + self._least(count - half)
        return half * (count - half) + TOO_EARLY * within
