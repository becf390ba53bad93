"""What is counted of finished matches for those who look at them."""

from arena.league.numbers.keep import COUNTED, add
from arena.league.numbers.recount import Recount, competition_names, recount
from arena.league.numbers.sums import Sums

__all__ = ["COUNTED", "Recount", "Sums", "add", "competition_names", "recount"]
