"""Cash (Kemps). `rules.py` is the rulebook; `stays.py` deals again what a seat cannot see."""

from sevens_games.cash.rules import GAME

__all__ = ["GAME"]
