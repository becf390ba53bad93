"""Pairs rounds by a published cost vector."""

from arena.tournament.pairing.cost import Contender, TableCosts
from arena.tournament.pairing.round_pairing import EXACT, IMPROVED, pair

__all__ = ["EXACT", "IMPROVED", "Contender", "TableCosts", "pair"]
