"""Games: all of them, and one with what is played in it."""

from __future__ import annotations

from arena.operations.operation import AnyText, Reading, reads
from arena.views.competition import PlayedGame, played_game
from arena.views.game import Games, all_games


@reads("/games")
def list_games(asked: Reading) -> Games:
    """All games."""
    return all_games()


@reads("/games/{game}")
def read_game(asked: Reading, game: AnyText) -> PlayedGame:
    """A game: its words, and what is played in it."""
    return played_game(asked.session, game)
