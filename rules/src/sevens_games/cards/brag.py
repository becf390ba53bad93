"""Three-card brag hands of the standard deck: their kinds and their strengths.

The ace is high, except that A 2 3 is the highest run; 3 3 3 is the highest prial. Suits have no
order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sevens_games.cards.standard import RANK, RANKS_UP, SUIT

BRAG_KINDS = ("high card", "pair", "flush", "run", "running flush", "prial")  # the lowest first
HEIGHT = {rank: height for height, rank in enumerate(RANKS_UP, 2)}
ACE, THREE, TWO = HEIGHT["A"], HEIGHT["3"], HEIGHT["2"]
ABOVE_ACE = ACE + 1  # the height of the run A 2 3, and of the prial 3 3 3
DIGIT = 16  # more than any height


@cache
def brag_strength(cards: tuple[str, ...]) -> int:
    """A number that is higher for a stronger hand of three cards, and equal for equal hands."""
    heights = sorted([HEIGHT[RANK[card]] for card in cards], reverse=True)
    one_suit = SUIT[cards[0]] == SUIT[cards[1]] == SUIT[cards[2]]
    top = run_height(heights)
    if heights[0] == heights[2]:
        return strength("prial", ABOVE_ACE if heights[0] == THREE else heights[0])
    if top:
        return strength("running flush" if one_suit else "run", top)
    if one_suit:
        return strength("flush", *heights)
    if heights[1] in (heights[0], heights[2]):
        [odd] = [height for height in heights if height != heights[1]]
        return strength("pair", heights[1], odd)
    return strength("high card", *heights)


def run_height(heights: Sequence[int]) -> int:
    """The height of the highest card of a run, the highest first; 0 if they are no run."""
    if list(heights) == [ACE, THREE, TWO]:
        return ABOVE_ACE
    high, middle, low = heights
    return high if high - 1 == middle == low + 1 else 0


def strength(kind: str, *heights: int) -> int:
    """The kind counts first, then the heights in turn."""
    high, middle, low = (*heights, 0, 0)[:3]
    return ((BRAG_KINDS.index(kind) * DIGIT + high) * DIGIT + middle) * DIGIT + low


def brag_kind(cards: tuple[str, ...]) -> str:
    """The hand's kind, one of BRAG_KINDS."""
    return BRAG_KINDS[brag_strength(cards) // DIGIT**3]
