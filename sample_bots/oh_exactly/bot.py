"""Oh 7 ?: plays for the best chance to take exactly what it bet.

The idea: each card has a chance to take a trick, which falls with the number of cards still out
that beat it. These chances give the probability that a hand takes no trick, one, two and so on. The
bot bets the card that promises most points, whether or not its suit becomes the trump. Then it
always plays the card that leaves it the best chance to take just the tricks that it still needs.
"""

from sevens_sdk import Bot, Decision, run

SUITS = "SHCD"  # from the highest priority down
MEANT = 2.8  # factor by which other seats play a card that beats yours more often than by chance
RUFFED = 0.45  # the weight of an unseen trump as a threat to a plain card


def rank(card: str) -> int:
    return int(card[0])


def suit(card: str) -> str:
    return card[1]


def height(card: str) -> tuple[int, int]:
    """Returns a card's height: by rank, then by the priority of the suit."""
    return rank(card), -SUITS.index(suit(card))


def beats(card: str, other: str, trump: str) -> bool:
    """True if the card would take the trick from the one that is winning it."""
    return rank(card) > rank(other) if suit(card) == suit(other) else suit(card) == trump


def likelihoods(chances: list[float]) -> list[float]:
    """Returns the chances that cards with these chances take no trick, one, two and so on."""
    likely = [1.0]
    for chance in chances:
        lost = [*[p * (1 - chance) for p in likely], 0.0]
        won = [0.0, *[p * chance for p in likely]]
        likely = [a + b for a, b in zip(lost, won, strict=True)]
    return likely


class OhExactly(Bot):
    def choose(self, decision: Decision) -> str:
        self.out = self.cards_out(decision)
        betting = decision.observation.fact("phase") == "betting"
        value = self.promise if betting else self.prospect
        return max(decision.legal, key=lambda action: value(action.split()[1], decision))

    @property
    def opponents(self) -> int:
        """Returns the number of opponents; with 2 players the Dummy is the second."""
        return max(self.match.players - 1, 2)

    def cards_out(self, decision: Decision) -> list[str]:
        """Returns the cards that the others can hold."""
        seen = set(decision.hand)
        for zone in decision.observation.zones:
            if zone.name in ("played", "dummy_played", "dummy_shown"):
                seen.update(zone.cards)
        deck = [f"{n}{letter}" for letter in SUITS[: self.opponents + 1] for n in range(8)]
        return [card for card in deck if card not in seen]

    def promise(self, bet: str, decision: Decision) -> float:
        """Returns the expected points of a bet, which names the trump if all others bet lower."""
        higher = sum(height(card) > height(bet) for card in self.out)
        named = (1 - higher / len(self.out)) ** (self.match.players - 1)
        exact = {trump: self.exactly(rank(bet), decision.hand, trump) for trump in SUITS}
        others = [exact[letter] for letter in {suit(card) for card in self.out} - {suit(bet)}]
        made = named * exact[suit(bet)] + (1 - named) * sum(others) / len(others)
        return made * (2 + rank(bet))

    def exactly(self, count: int, hand: tuple[str, ...], trump: str) -> float:
        return likelihoods([self.chance(card, trump, self.opponents) for card in hand])[count]

    def prospect(self, card: str, decision: Decision) -> float:
        """Returns the probability that the bot takes exactly the tricks it needs after this
        card; if that is impossible, the expected points, which are negative."""
        seen = decision.observation
        trump = seen.fact("trump")
        needed: int = seen.fact("bets")[decision.seat] - seen.fact("taken")[decision.seat]
        rest = [other for other in decision.hand if other != card]
        now = self.chance_now(card, seen.cards("trick"), trump, len(seen.fact("order")))
        likely = likelihoods([now, *[self.chance(c, trump, self.opponents) for c in rest]])
        if 0 <= needed < len(likely):
            return likely[needed]
        return -sum(p * abs(count - needed) for count, p in enumerate(likely))

    def chance_now(self, card: str, trick: tuple[str, ...], trump: str, hands: int) -> float:
        """Returns the chance that the card takes the present trick of that many hands."""
        winning = trick[0] if trick else ""
        for other in trick:
            winning = other if beats(other, winning, trump) else winning
        if winning and not beats(card, winning, trump):
            return 0.0
        return self.chance(card, trump, hands - len(trick) - 1)

    def chance(self, card: str, trump: str, opponents: int) -> float:
        """Returns the chance that none of that many opponents plays a card that beats this one."""
        threats = sum(
            1 if suit(other) == suit(card) else RUFFED
            for other in self.out
            if beats(other, card, trump)
        )
        return max(0.0, 1 - MEANT * threats / max(len(self.out), 1)) ** opponents


if __name__ == "__main__":
    run(OhExactly)
