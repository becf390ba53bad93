"""Positions of Seven7s, for the tests of its rules and of a seat's knowledge."""

from collections.abc import Iterable

from sevens_games import Match, StackedDeals, load
from sevens_games.seven7s.deck import DECK
from tests.support.game_tables import cards, hands, stack

GAME = load("seven7s")


def start(*in_hand: str, first: str, deck: str = "", picks: Iterable[int] = ()) -> Match:
    """Returns a match with these hands by seat, this first card on the table and these on top of
    the deck; any card may stand where none is named."""
    order = stack(DECK, hands(*in_hand, each=3), cards(first), cards(deck))
    return GAME.start(players=len(in_hand), deals=StackedDeals([order], picks))
