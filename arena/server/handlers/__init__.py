"""The calls of the league's service: plain functions from a request to a response."""

from arena.server.handlers.call import Call, Handler, League, Method
from arena.server.handlers.paging import LARGEST_PAGE
from arena.server.handlers.readable import readable_match
from arena.server.handlers.table import CONTESTANTS, METHODS

__all__ = [
    "CONTESTANTS",
    "LARGEST_PAGE",
    "METHODS",
    "Call",
    "Handler",
    "League",
    "Method",
    "readable_match",
]
