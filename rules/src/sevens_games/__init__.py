"""The rules of the games: one module or package per game, on top of a small driver.

    from sevens_games import load, SeededDeals
    match = load("xeri").start(deals=SeededDeals("any text"))
    while match.to_act:
        for seat in match.to_act:
            match.apply(seat, match.legal_actions(seat)[0])
    match.result.ranks

Imports nothing but the standard library.
"""

from sevens_games.engine import (
    Action,
    Deals,
    Event,
    Facts,
    Game,
    IllegalAction,
    Layout,
    Match,
    Observation,
    Option,
    Result,
    SeededDeals,
    StackedDeals,
    Suit,
    WrongDeals,
    WrongObservation,
    Zone,
    ranks_by,
    text_of,
)
from sevens_games.registry import UnknownGame, load, own_slugs, slugs
from sevens_games.search import Experience, Search, deal_is_over, direction

__all__ = [
    "Action",
    "Deals",
    "Event",
    "Experience",
    "Facts",
    "Game",
    "IllegalAction",
    "Layout",
    "Match",
    "Observation",
    "Option",
    "Result",
    "Search",
    "SeededDeals",
    "StackedDeals",
    "Suit",
    "UnknownGame",
    "WrongDeals",
    "WrongObservation",
    "Zone",
    "deal_is_over",
    "direction",
    "load",
    "own_slugs",
    "ranks_by",
    "slugs",
    "text_of",
]
