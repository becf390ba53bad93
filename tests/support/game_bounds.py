"""Promises about each of our games: the number of legal actions, and the places of its cards."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from sevens_games import Match, Observation, Zone


def one(players: int) -> int:
    return 1


@dataclass(frozen=True)
class Bounds:
    """Bounds of one game.

    `most_actions`: a seat never has more legal actions; None if no bound is promised.
    `piles`: zones whose order the seats do not know.
    `decks`: by number of players, how often the cards of the first shuffle lie on the table.
    """

    most_actions: int | None
    piles: frozenset[str] = frozenset({"deck", "stock"})
    decks: Callable[[int], int] = one


def bounds(
    most_actions: int | None,
    *,
    piles: Collection[str] = ("deck", "stock"),
    decks: Callable[[int], int] = one,
) -> Bounds:
    return Bounds(most_actions, frozenset(piles), decks)


BOUNDS: Mapping[str, Bounds] = {
    "california-speed": bounds(9, piles=["hand"]),
    "cash": bounds(160),
    "crash": bounds(287),
    "dingo": bounds(10),
    "envite": bounds(18),
    "forty-thieves": bounds(51, decks=lambda players: players),
    "insidious-sevens": bounds(35),
    "jack-change-it": bounds(22),
    "kontsina": bounds(36),
    "mexican-sweat": bounds(3, piles=["face_down", "rest"]),
    "oh-seven": bounds(7),
    "pitty-pat": bounds(5),
    "russian-bank": bounds(None, decks=lambda players: players),
    "seven-euchre": bounds(49),
    "seven-rummy": bounds(60),
    "seven7s": bounds(21),
    "trash": bounds(10, piles=["stock", "layout"]),
    "xeri": bounds(6),
}


def places(match: Match, seen: Observation) -> list[Zone]:
    """Returns the zones in which cards lie, without those that only show them again."""
    return [zone for zone in seen.zones if zone.name not in match.game.copies]


def lying(match: Match) -> Counter[str]:
    """Returns all cards by their places, as the spectator sees them."""
    return Counter(card for zone in places(match, match.observe(None)) for card in zone.cards)


def whole_deck(match: Match) -> Counter[str]:
    """Returns the cards that must lie somewhere."""
    decks = BOUNDS[match.game.slug].decks(match.players)
    return Counter(match.deals.shuffles[0] * decks)
