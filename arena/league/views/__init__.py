"""What pages show, and the API gives: questions to the store, each in few statements."""

from arena.league.views.bots import BotCard, BotVersion, LadderPlace, bot_card, owner_cards
from arena.league.views.competitions import CompetitionCard, Leader, competition_cards, match_totals
from arena.league.views.curves import CurvePoint, rating_curves
from arena.league.views.decision_times import Histogram, TimeBar, decision_times
from arena.league.views.ladder import (
    RECENT,
    LadderActivity,
    LadderRow,
    ladder_activity,
    ladder_rows,
    ladder_stamp,
    rows_of,
)
from arena.league.views.results import (
    Meetings,
    OpponentResults,
    PlaceResults,
    crosstable,
    results_by_opponent,
    results_by_seat,
    results_by_size,
)
from arena.league.views.search import Found, FoundCompetition, search

__all__ = [
    "RECENT",
    "BotCard",
    "BotVersion",
    "CompetitionCard",
    "CurvePoint",
    "Found",
    "FoundCompetition",
    "Histogram",
    "LadderActivity",
    "LadderPlace",
    "LadderRow",
    "Leader",
    "Meetings",
    "OpponentResults",
    "PlaceResults",
    "TimeBar",
    "bot_card",
    "competition_cards",
    "crosstable",
    "decision_times",
    "ladder_activity",
    "ladder_rows",
    "ladder_stamp",
    "match_totals",
    "owner_cards",
    "rating_curves",
    "results_by_opponent",
    "results_by_seat",
    "results_by_size",
    "rows_of",
    "search",
]
