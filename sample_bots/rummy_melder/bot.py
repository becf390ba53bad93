"""Seven Rummy: lays as many cards as it can at once, and holds those with prospects.

The idea: only the winner scores, so speed is everything. The bot picks up every discard that it can
lay down, and finds the melds and lay-offs that together take most cards out of its hand. Then it
discards the least useful card: one that few unseen cards would bring to the table, and that would
cost much if another seat went out. It does not wait for the double, because that loses more deals.
"""

from itertools import combinations

from sevens_sdk import Bot, Decision, run

RANKS = "A23456789TJQK"
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]
COST = {card: min(1 + RANKS.index(card[0]), 10) for card in DECK}
COST |= {card: 20 for card in DECK if card[0] == "7"}

Cards = frozenset[str]

POINTS_A_PROSPECT = 2  # the worth of an unseen card that completes a meld, in points of deadwood


def is_meld(cards: tuple[str, ...]) -> bool:
    """True for cards of one rank or in sequence in one suit: three, or any number with a 7."""
    if len(cards) < 3 and not any(card[0] == "7" for card in cards):
        return False
    ranks = {RANKS.index(card[0]) for card in cards}
    in_a_row = max(ranks) - min(ranks) == len(ranks) - 1 and len(ranks) == len(cards)
    return len(ranks) == 1 or (in_a_row and len({card[1] for card in cards}) == 1)


SMALL_MELDS = [
    frozenset(cards) for size in (2, 3) for cards in combinations(DECK, size) if is_meld(cards)
]
MELDS_WITH = {card: [meld for meld in SMALL_MELDS if card in meld] for card in DECK}


class RummyMelder(Bot):
    def choose(self, decision: Decision) -> str:
        if decision.observation.fact("phase") != "play":
            # The longest take or claim; if there is none, the only action is "draw" or "pass".
            return max(decision.legal, key=len)
        lays = [action for action in decision.legal if not action.startswith("discard")]
        if lays:
            return best_lays(lays, len(decision.hand))[0]
        return least_worth_discard(decision)


def cards_of(action: str) -> Cards:
    """Returns the cards that an action takes out of the hand."""
    return frozenset(word for word in action.split() if word in COST)


def best_lays(lays: list[str], held: int) -> list[str]:
    """Returns the compatible lays that take most cards out of the hand; one card must remain to be
    discarded."""
    best: list[str] = []
    most = 0

    def search(chosen: list[str], used: Cards, rest: list[str]) -> None:
        nonlocal best, most
        if len(used) > most:
            best, most = chosen, len(used)
        for at, action in enumerate(rest):
            cards = cards_of(action)
            if not cards & used and len(cards) + len(used) < held:
                search([*chosen, action], used | cards, rest[at + 1 :])

    search([], frozenset(), sorted(lays, key=lambda action: -len(cards_of(action))))
    return best


def least_worth_discard(decision: Decision) -> str:
    seen = decision.observation
    hand = frozenset(decision.hand)
    unseen = frozenset(DECK) - hand - {*seen.cards("discards"), *seen.cards("table")}

    def worth(action: str) -> int:
        card = action.split()[1]
        missing = {meld - hand for meld in MELDS_WITH[card]}
        prospects = sum(len(cards) == 1 and cards <= unseen for cards in missing)
        return POINTS_A_PROSPECT * prospects - COST[card]

    return min(decision.legal, key=worth)


if __name__ == "__main__":
    run(RummyMelder)
