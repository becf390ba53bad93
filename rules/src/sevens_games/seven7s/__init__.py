"""Seven7s: the game's declaration; `rules` holds the rules and the rulings."""

from sevens_games.seven7s.rules import GAME

__all__ = ["GAME"]
