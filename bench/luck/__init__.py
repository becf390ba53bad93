"""Luck: what the cards brought to a seat, apart from how it played them.

luck = luck_of(played, RANDOM_PLAYOUTS)     # by seat, in rank points; its expectation is 0
better = adjusted(differences, lucks)       # the same expectation as `differences`
"""

from bench.luck.adjustment import FEWEST_TO_FIT, adjusted
from bench.luck.match_luck import Choice, PlayedMatch, luck_of
from bench.luck.value import RANDOM_PLAYOUTS, Policy, ValueFunction

__all__ = [
    "FEWEST_TO_FIT",
    "RANDOM_PLAYOUTS",
    "Choice",
    "PlayedMatch",
    "Policy",
    "ValueFunction",
    "adjusted",
    "luck_of",
]
