"""Russian Bank: works out the priority moves itself, so that it breaks none and misses no breach.

The idea: no message says which moves are due, so the bot maintains its own table. When it is asked
about an action, it takes the action back on that table and checks whether another move was due. On
its turn it makes moves that are due. Otherwise it makes the move that takes most from its side or
puts most on the opponent's; within the tableau it moves a card only if that lets a better move
follow.
"""

from __future__ import annotations

from sevens_sdk import Bot, Decision, Observation, run

RANKS = "A23456789TJQK"
RED = "DH"
PILES = tuple("12345678")
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

# The worth of taking a card from there, and the cost of putting one there.
OWN = {"reserve": 2.0, "stock": 1.0}
THEIRS = {"reserve": 2.0, "discard": 1.0}
TURN = 0.1  # better than nothing, because a seat must do something


class Table:
    """The available cards of the seat that moves, and those that the foundations need next."""

    def __init__(self, seen: Observation, mover: int) -> None:
        self.places = {pile: list(seen.cards(f"pile-{pile}")) for pile in PILES}
        self.places["reserve"] = list(seen.cards("reserve", mover))
        self.places["stock"] = list(seen.cards("turned-up"))
        built = {suit: [seen.cards(f"{name}-{n}") for n in (1, 2)] for suit, name in SUITS.items()}
        self.heights = {suit: [len(cards) for cards in pair] for suit, pair in built.items()}

    def take_back(self, action: str, card: str) -> None:
        """Returns the table as it was before the action that moved the card."""
        verb, *where = action.split()
        if verb == "turn":
            self.places["stock"] = []
        elif verb == "discard":
            self.places["stock"] = [card]
        elif where:
            source, target = where
            if target == "foundation":
                heights = self.heights[card[1]]
                heights[heights.index(RANKS.index(card[0]) + 1)] -= 1
            elif verb == "move":
                self.places[target].pop()
            self.places[source].append(card)

    def top(self, place: str) -> str:
        return self.places[place][-1] if self.places[place] else ""

    def fits_foundation(self, card: str) -> bool:
        return bool(card) and RANKS.index(card[0]) in self.heights[card[1]]

    def due(self) -> list[str]:
        """Returns the priority moves: while there are any, no other action is correct."""
        if self.fits_foundation(self.top("reserve")):
            return ["move reserve foundation"]
        sources = [place for place in (*PILES, "stock") if self.fits_foundation(self.top(place))]
        if sources:
            return [f"move {place} foundation" for place in sources]
        spaces = [pile for pile in PILES if not self.places[pile]]
        return [f"move reserve {pile}" for pile in spaces if self.places["reserve"]]

    def value(self, action: str) -> float:
        """Returns the gain of an action that breaks no priority."""
        verb, *where = action.split()
        if verb == "turn":
            return TURN
        if not where:
            return 0.0
        source, target = where
        gain = OWN.get(source) or self.value_of_lifting(source, onto=target)
        return gain + (THEIRS[target] if verb == "load" else 0.0)

    def value_of_lifting(self, pile: str, onto: str) -> float:
        """Returns the value of the card below, or of the space."""
        if len(self.places[pile]) == 1:
            return OWN["reserve"] if self.places["reserve"] and self.places.get(onto) else 0.0
        below = self.places[pile][-2]
        if self.fits_foundation(below):
            return 0.5
        waiting = [worth for place, worth in OWN.items() if fits(self.top(place), below)]
        return max(waiting, default=0.0) * 0.9


def fits(card: str, top: str) -> bool:
    """True if one card may go on the other in the tableau: other colour, one rank lower."""
    if not card or RANKS.index(card[0]) + 1 != RANKS.index(top[0]):
        return False
    return (card[1] in RED) != (top[1] in RED)


class CrapetteWatcher(Bot):
    def choose(self, decision: Decision) -> str:
        seen = decision.observation
        table = Table(seen, mover=seen.fact("mover"))
        if seen.fact("phase") == "call":
            action = seen.fact("action")
            table.take_back(action, seen.fact("card"))
            due = table.due()
            return "stop" if due and action not in due else "continue"
        return max(table.due() or decision.legal, key=table.value)


if __name__ == "__main__":
    run(CrapetteWatcher)
