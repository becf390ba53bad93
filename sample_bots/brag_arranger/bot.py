"""Crash: arranges all thirteen cards before the first hand, for the best chance in every number.

The idea: the strongest hand first is often a waste, since a point for the first hand is worth no
more than one for the fourth. So the bot looks at many arrangements, and adds up the chances that
each of their hands wins its number. It knows how strong such hands are when it plays itself.
"""

from bisect import bisect_left
from itertools import combinations
from typing import NamedTuple

from sevens_sdk import Bot, Decision, run

HEIGHTS = {rank: height for height, rank in enumerate("23456789TJQKA", 2)}
LOW_RUN = [14, 3, 2]  # A 2 3, the highest run
PAIR, FLUSH, RUN, RUNNING_FLUSH, PRIAL = range(1, 6)
BRANCHES = (12, 6, 4, 1)  # arrangements looked at: for each hand, of the strongest that are left

# By number of the hand, the strengths (kind and highest card) that a tenth, two tenths … of the
# bot's own hands do not reach.
TENTHS: list[list[tuple[int, ...]]] = [
    [(3, 11), (3, 13), (3, 15), (4, 8), (4, 14), (5, 4), (5, 7), (5, 10), (5, 13)],
    [(2, 14), (3, 6), (3, 8), (3, 10), (3, 11), (3, 13), (3, 15), (4, 4), (4, 14)],
    [(2, 10), (2, 12), (2, 13), (2, 14), (2, 14), (3, 5), (3, 7), (3, 9), (3, 12)],
    [(), (1, 3), (1, 8), (1, 12), (2, 8), (2, 11), (2, 12), (2, 13), (2, 14)],
]


class Hand(NamedTuple):
    strength: tuple[int, ...]
    cards: tuple[str, ...]


class BragArranger(Bot):
    def on_start(self) -> None:
        self.plan: list[Hand] = []

    def choose(self, decision: Decision) -> str:
        step = decision.observation.fact("step")
        if step == 1:
            self.plan = best_arrangement(decision.hand, decision.match.players - 1)
        if len(self.plan) < step:
            return "pass"
        action = f"hand {' '.join(self.plan[step - 1].cards)}"
        return action if action in decision.legal else strongest(decision.legal)


def strongest(legal: list[str]) -> str:
    """Returns the strongest hand, for a seat whose earlier hands were not those of the plan."""
    return max(legal, key=lambda action: strength(tuple(action.split()[1:])))


def best_arrangement(cards: tuple[str, ...], rivals: int) -> list[Hand]:
    hands = [Hand(strength(three), three) for three in combinations(cards, 3)]
    ordered = sorted((hand for hand in hands if hand.strength), reverse=True)
    return max(arrangements(ordered, 0), key=lambda plan: worth(plan, rivals))


def arrangements(hands: list[Hand], number: int) -> list[list[Hand]]:
    """Returns lists of disjoint hands, none stronger than the one before, out of ordered ones."""
    if number == len(BRANCHES) or not hands:
        return [[]]
    found = []
    for place, hand in enumerate(hands[: BRANCHES[number]]):
        left = [other for other in hands[place:] if not set(other.cards) & set(hand.cards)]
        found += [[hand, *others] for others in arrangements(left, number + 1)]
    return found


def worth(plan: list[Hand], rivals: int) -> float:
    """Returns the number of hands that are expected to win."""
    return sum(
        ((bisect_left(TENTHS[number], hand.strength) + 0.5) / 10) ** rivals
        for number, hand in enumerate(plan)
    )


def strength(cards: tuple[str, ...]) -> tuple[int, ...]:
    """Returns a value that is higher for a stronger hand; empty if the cards are none."""
    if len(cards) < 3:
        return ()
    high, middle, low = heights = sorted((HEIGHTS[card[0]] for card in cards), reverse=True)
    one_suit = len({card[1] for card in cards}) == 1
    if high == low:
        return (PRIAL, 15 if high == HEIGHTS["3"] else high)
    if heights == LOW_RUN or high - 1 == middle == low + 1:
        return (RUNNING_FLUSH if one_suit else RUN, 15 if heights == LOW_RUN else high)
    if one_suit:
        return (FLUSH, high, middle, low)
    if middle in (high, low):
        return (PAIR, middle, high + low - middle)
    return ()


if __name__ == "__main__":
    run(BragArranger)
