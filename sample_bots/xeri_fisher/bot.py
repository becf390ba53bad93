"""Xeri: captures when it is worth it, and otherwise lays the card that is safest to leave.

The idea: a card on top of the pile is safe if few cards of its rank are unseen, because only those
(and jacks) can capture it. On an empty pile that matters most: the opponent's capture would be a
xeri.
"""

from collections import Counter

from sevens_sdk import Bot, Decision, run

# In tenths of a point, so that sums are exact and equal plays tie.
XERI = 100
JACK_KEPT_FOR = 30  # a jack is worth saving for a pile worth more than this


def card_worth(card: str) -> int:
    """Returns tenths of a point for a won card; 3 points for most cards are about one each."""
    return 10 * (card[0] in "AKQJT") + 10 * (card in ("TD", "2C")) + 1


class XeriFisher(Bot):
    def choose(self, decision: Decision) -> str:
        unseen = unseen_ranks(decision)
        pile = decision.observation.cards("pile")
        return max(decision.legal, key=lambda action: value(action.split()[1], pile, unseen))


def value(card: str, pile: tuple[str, ...], unseen: Counter[str]) -> float:
    """Returns the worth of playing the card now, less its expected cost."""
    if pile and (card[0] == pile[-1][0] or card[0] == "J"):
        xeri = XERI if len(pile) == 1 and card[0] == pile[0][0] else 0
        won = sum(map(card_worth, pile)) + card_worth(card) + xeri
        return won - JACK_KEPT_FOR if card[0] == "J" else won
    lost = sum(map(card_worth, pile)) + card_worth(card) + (0 if pile else XERI)
    kept = JACK_KEPT_FOR if card[0] == "J" else 0
    return -unseen[card[0]] * lost / 4 - kept


def unseen_ranks(decision: Decision) -> Counter[str]:
    """Counts the cards of each rank that the bot has not seen in this deal."""
    unseen = Counter("A23456789TJQK" * 4)
    seen = decision.observation
    on_table = [card for zone in seen.zones if zone.name in ("pile", "won") for card in zone.cards]
    unseen.subtract(card[0] for card in (*on_table, *decision.hand))
    return unseen


if __name__ == "__main__":
    run(XeriFisher)
