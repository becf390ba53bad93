"""The rules of the games: one module or package a game, over one small driver.

    from arena.games import load, SeededDeals
    match = load("xeri").start(deals=SeededDeals("any text"))
    while match.to_act:
        for seat in match.to_act:
            match.apply(seat, match.legal_actions(seat)[0])
    match.result.ranks

Imports nothing but the standard library.
"""

from arena.games.engine.actions import Action
from arena.games.engine.deals import Deals, SeededDeals, StackedDeals, WrongDeals
from arena.games.engine.game import Game
from arena.games.engine.match import IllegalAction, Match
from arena.games.engine.observation import Event, Facts, Observation, Zone
from arena.games.engine.options import Option, text_of
from arena.games.engine.result import Result, ranks_by
from arena.games.registry import UnknownGame, load, slugs

__all__ = [
    "Action",
    "Deals",
    "Event",
    "Facts",
    "Game",
    "IllegalAction",
    "Match",
    "Observation",
    "Option",
    "Result",
    "SeededDeals",
    "StackedDeals",
    "UnknownGame",
    "WrongDeals",
    "Zone",
    "load",
    "ranks_by",
    "slugs",
    "text_of",
]
