"""The driver: everything that games share, so that a rules module contains only its rules."""

from arena.games.engine import match
from arena.games.engine.actions import Action, Interned
from arena.games.engine.deals import Deals, SeededDeals, SplitDeals, StackedDeals, WrongDeals
from arena.games.engine.fact_words import (
    UNSAID,
    FactWords,
    at_seat,
    at_table,
    by_seat,
    by_team,
)
from arena.games.engine.game import Game, GameOf
from arena.games.engine.layout import FRENCH_SUITS, Layout, Suit
from arena.games.engine.match import IllegalAction, Match
from arena.games.engine.observation import Event, Facts, FactValue, Observation, Zone
from arena.games.engine.options import Option, OptionValue, flag, integer, text_of, word
from arena.games.engine.phases import Legal, Race, Simultaneous, Turn
from arena.games.engine.restoring import Seen, WrongObservation
from arena.games.engine.result import Result, ranks_by
from arena.games.engine.state import State, copier

__all__ = [
    "FRENCH_SUITS",
    "UNSAID",
    "Action",
    "Deals",
    "Event",
    "FactValue",
    "FactWords",
    "Facts",
    "Game",
    "GameOf",
    "IllegalAction",
    "Interned",
    "Layout",
    "Legal",
    "Match",
    "Observation",
    "Option",
    "OptionValue",
    "Race",
    "Result",
    "SeededDeals",
    "Seen",
    "Simultaneous",
    "SplitDeals",
    "StackedDeals",
    "State",
    "Suit",
    "Turn",
    "WrongDeals",
    "WrongObservation",
    "Zone",
    "at_seat",
    "at_table",
    "by_seat",
    "by_team",
    "copier",
    "flag",
    "integer",
    "match",
    "ranks_by",
    "text_of",
    "word",
]
