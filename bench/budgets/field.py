"""The field: three versions of one bot that differ by their search budget, and a house bot."""

from __future__ import annotations

from itertools import combinations

from bench.duplicate.form import Form
from bench.duplicate.sample_seat import SEARCHER, MakeBot, Player, bot_class, sample_bot

XERI = Form("xeri", 2)
BUDGETS = (32, 8, 2)
"""Playouts for each decision of the versions, the strongest first."""
VERSIONS = tuple(map(str, BUDGETS))
HOUSE = "fisher"
NAMES = (*VERSIONS, HOUSE)

VERSUS = tuple(combinations(VERSIONS, 2))
"""The pairs of versions: of each the better one first."""
PAIRS = (*VERSUS, *((version, HOUSE) for version in VERSIONS))


def player(name: str) -> Player:
    return Player(sample_bot(XERI.slug) if name == HOUSE else searcher(int(name)))


def searcher(playouts: int) -> MakeBot:
    """Returns the class of the searching bot with this budget."""
    return type(f"Searcher{playouts}", (bot_class(SEARCHER),), {"playouts": playouts})
