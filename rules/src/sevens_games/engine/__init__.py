"""The driver: everything that games share, so that a rules module contains only its rules."""

from sevens_games.engine import match
from sevens_games.engine.actions import Action, Interned
from sevens_games.engine.deals import Deals, SeededDeals, SplitDeals, StackedDeals, WrongDeals
from sevens_games.engine.fact_words import (
    UNSAID,
    FactWords,
    at_seat,
    at_table,
    by_seat,
    by_team,
)
from sevens_games.engine.game import Game, GameOf
from sevens_games.engine.layout import FRENCH_SUITS, Layout, Suit
from sevens_games.engine.match import IllegalAction, Match
from sevens_games.engine.observation import Event, Facts, FactValue, Observation, Zone
from sevens_games.engine.options import Option, OptionValue, flag, integer, text_of, word
from sevens_games.engine.phases import Legal, Race, Simultaneous, Turn
from sevens_games.engine.restoring import Seen, WrongObservation
from sevens_games.engine.result import Result, ranks_by
from sevens_games.engine.state import State, copier
from sevens_games.engine.unknown import no_such

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
    "no_such",
    "ranks_by",
    "text_of",
    "word",
]
