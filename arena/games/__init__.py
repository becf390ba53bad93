"""The rules of the games, by the name that programs outside have for them in an arena.

They are a library of their own, `sevens_games`, which the arena's own code imports.
"""

from sevens_games import *  # noqa: F403
from sevens_games import __all__ as __all__
