"""Insidious Sevens: bids what its hand is worth, then takes exactly that many tricks.

The idea: a card wins a trick if all other cards are lower, so a 7 is worth most of a trick and a 3
next to nothing; a trump is worth more. The bot bids the card whose number is nearest to the worth
of its hand if that card names the trump. Then it wins as cheaply as it can until it has its tricks,
and ducks as high as it can afterwards.
"""

from sevens_sdk import Bot, Decision, run

COLOURS = "RYGBP"  # from the lowest to the highest
TRUMP_BONUS = 2.5  # a trump is worth as much as a card this many numbers higher


def number(card: str) -> int:
    return int(card[0])


def colour(card: str) -> str:
    return card[1]


def height(card: str) -> int:
    """Returns a card's height: by number, then by colour."""
    return 5 * number(card) + COLOURS.index(colour(card))


def cards_of(action: str) -> list[str]:
    """Returns the cards of an action: 2R and 5Y for `pass 2R 5Y`."""
    return action.split()[1:]


class SevensBidder(Bot):
    def choose(self, decision: Decision) -> str:
        phase = decision.observation.fact("phase")
        if phase == "passing":
            return max(decision.legal, key=middling)
        if phase == "bidding":
            return min(decision.legal, key=lambda action: self.error_of_bid(action, decision.hand))
        return self.play(decision)

    def error_of_bid(self, action: str, hand: tuple[str, ...]) -> float:
        """Returns how far the bid is from the tricks that the hand should take after it."""
        [bid] = cards_of(action)
        named = ((height(bid) + 0.5) / 40) ** (self.match.players - 1)  # no seat bids higher
        worth_if_named = sum(self.worth(card, colour(bid)) for card in hand)
        worth_if_not = sum(self.worth(card, None) for card in hand)
        return abs(named * worth_if_named + (1 - named) * worth_if_not - number(bid))

    def worth(self, card: str, trump: str | None) -> float:
        """Returns the chance that the card wins a trick; 1 / players on average."""
        bonus = TRUMP_BONUS if colour(card) == trump else 0.0
        return float(min(1.0, (number(card) + bonus + 0.5) / 8) ** (self.match.players - 1))

    def play(self, decision: Decision) -> str:
        seen = decision.observation
        trick, trump = seen.cards("trick"), seen.fact("trump")
        wanted = seen.fact("bids")[decision.seat] - seen.fact("taken")[decision.seat]

        def strength(action: str) -> tuple[bool, int]:
            [card] = cards_of(action)
            return colour(card) == trump, height(card)

        winning = [action for action in decision.legal if wins(cards_of(action)[0], trick, trump)]
        losing = [action for action in decision.legal if action not in winning]
        last = len(trick) == self.match.players - 1
        if wanted > 0 and winning:
            return min(winning, key=strength) if last else max(winning, key=strength)
        if wanted > 0:
            return min(losing, key=strength)
        if losing:
            return max(losing, key=strength)
        return max(winning, key=strength) if last else min(winning, key=strength)


def middling(action: str) -> float:
    """Prefers high cards, which win tricks, and low ones, which duck; others are hard to bid."""
    return -sum(abs(number(card) - 3.5) for card in cards_of(action))


def wins(card: str, trick: tuple[str, ...], trump: str) -> bool:
    """True if the card would win the present trick."""
    lead = trick[0] if trick else card

    def rank(other: str) -> tuple[bool, bool, int]:
        follows = colour(other) == colour(lead) or number(other) == number(lead)
        return colour(other) == trump, follows, height(other)

    return all(rank(card) > rank(other) for other in trick)


if __name__ == "__main__":
    run(SevensBidder)
