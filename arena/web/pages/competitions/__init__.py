"""Ladders, tournaments and comparisons."""

from arena.web.pages.competitions import comparisons, ladders, tournaments

ROUTES = [*ladders.ROUTES, *tournaments.ROUTES, *comparisons.ROUTES]

__all__ = ["ROUTES"]
