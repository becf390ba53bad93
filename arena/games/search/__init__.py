"""Search that knows no game: plays on from what one seat may know of a match."""

from arena.games.search.experience import Experience
from arena.games.search.search import Search

__all__ = ["Experience", "Search"]
