"""Xeri: plays every card of its hand out against hands that the opponent may hold.

The idea: deal the opponent a hand from the cards not seen, let both sides capture what they can
and lay anything else until the hands are empty, and count the points; do that with many hands, and
play the card with the best mean. `--playouts` in `bot.toml` is the search budget: more is slower,
and better.
"""

from __future__ import annotations

from argparse import ArgumentParser
from random import Random

from sevens_sdk import Bot, Decision, run

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
HAND = 6
XERI = 10
MOST_CARDS = 3 / 26  # a card's share of the 3 points for more than 26 of them
WORTH = {card: (card[0] in "AKQJT") + (card in ("TD", "2C")) + MOST_CARDS for card in DECK}


class XeriSearcher(Bot):
    """`playouts`: the number for each card and decision."""

    playouts = 16

    def choose(self, decision: Decision) -> str:
        deal = Deal(decision)
        totals = dict.fromkeys(decision.hand, 0.0)
        for _ in range(self.playouts):
            # The same for every card, so that only the card differs.
            mine, theirs = deal.hands(self.random)
            for card in totals:
                totals[card] += deal.played_out(card, mine, theirs)
        best = max(totals, key=totals.__getitem__)
        decision.note(f"{best} gains {totals[best] / self.playouts:+.2f} points")
        return f"play {best}"


class Deal:
    """The bot's view of the deal, and the cards that the opponent may hold."""

    def __init__(self, decision: Decision) -> None:
        seen, opponent = decision.observation, 1 - decision.seat
        self._hand, self._pile = decision.hand, seen.cards("pile")
        known = {*self._hand, *self._pile, *seen.cards("won", 0), *seen.cards("won", 1)}
        if len(seen.cards("played", opponent)) < HAND:
            # A rejected first pile went back into the stock after the first hands had been dealt.
            known.update(seen.cards("rejected"))
        self._possible = [card for card in DECK if card not in known]
        self._held = seen.zone("hand", opponent).hidden

    def hands(self, rng: Random) -> tuple[list[str], list[str]]:
        """Returns the bot's hand and one that the opponent may hold, both in random order."""
        mine = rng.sample(self._hand, len(self._hand))
        return mine, rng.sample(self._possible, self._held)

    def played_out(self, card: str, mine: list[str], theirs: list[str]) -> float:
        """Plays the card, then both hands to their end; returns the points won less those lost."""
        hand, waiting = theirs.copy(), [one for one in mine if one != card]
        pile, gained, sign = list(self._pile), 0.0, 1
        while True:
            if captures(card, pile):
                gained += sign * worth(card, pile)
                pile.clear()
            else:
                pile.append(card)
            if not hand:
                return gained
            card = likely(hand, pile)
            hand.remove(card)
            hand, waiting, sign = waiting, hand, -sign


def captures(card: str, pile: list[str]) -> bool:
    return bool(pile) and card[0] in (pile[-1][0], "J")


def worth(card: str, pile: list[str]) -> float:
    """Returns the points for capturing the pile with the card."""
    xeri = XERI if len(pile) == 1 and card[0] == pile[0][0] else 0
    return sum(WORTH[one] for one in (*pile, card)) + xeri


def likely(hand: list[str], pile: list[str]) -> str:
    """Returns the play of a player without foresight: a capture, or else the first card."""
    if pile:
        capturing = (pile[-1][0], "J")
        for card in hand:
            if card[0] in capturing:
                return card
    return hand[0]


if __name__ == "__main__":
    arguments = ArgumentParser()
    arguments.add_argument("--playouts", type=int, default=XeriSearcher.playouts)
    XeriSearcher.playouts = arguments.parse_args().playouts
    run(XeriSearcher)
