"""Search that knows no game: plays on from what one seat may know of a match."""

from sevens_games.search.experience import Experience, Made, Playout, deal_is_over, direction
from sevens_games.search.features import Sight
from sevens_games.search.search import Search

__all__ = ["Experience", "Made", "Playout", "Search", "Sight", "deal_is_over", "direction"]
