"""Search that knows no game: plays on from what one seat may know of a match."""

from sevens_games.search.experience import Experience, direction
from sevens_games.search.search import Search

__all__ = ["Experience", "Search", "direction"]
