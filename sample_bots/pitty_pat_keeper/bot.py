"""Pitty Pat: keeps an even number of cards, and discards what nobody can use.

The idea: with two cards left one match and one discard win, and with one card it takes a match of
that very card. So after a match an even number of cards needs as many matches as one card fewer,
and has more ranks to match: the bot keeps them all. From an odd number it discards the card whose
rank it is least likely to see again, or that the next seat is known to lack.
"""

from collections import Counter

from sevens_sdk import Bot, Decision, run

LACKED = 0.5  # what a card costs less, as an upcard, if the next seat cannot match it


class PittyPatKeeper(Bot):
    def choose(self, decision: Decision) -> str:
        if "keep" not in decision.legal:
            return decision.legal[0]  # a flip, or cards of one rank to match with
        if len(decision.hand) % 2 == 0:
            return "keep"
        unseen, lacks = unseen_ranks(decision), lacks_of_next(decision)
        held = Counter(card[0] for card in decision.hand)

        def cost(action: str) -> tuple[float, int]:
            rank = action.split()[1][0]
            useful = unseen[rank] * (LACKED if rank in lacks else 1)
            return useful, -held[rank]

        return min([action for action in decision.legal if action != "keep"], key=cost)


def lacks_of_next(decision: Decision) -> str:
    """Returns the ranks that the next seat is known to lack."""
    lacks: tuple[str, ...] = decision.observation.fact("lacks")
    return lacks[(decision.seat + 1) % len(lacks)]


def unseen_ranks(decision: Decision) -> Counter[str]:
    """Counts the cards of each rank in the stock and in the other hands."""
    unseen = Counter("A23456789TJQK" * 4)
    seen = (*decision.observation.cards("discards"), *decision.hand)
    unseen.subtract(card[0] for card in seen)
    return unseen


if __name__ == "__main__":
    run(PittyPatKeeper)
