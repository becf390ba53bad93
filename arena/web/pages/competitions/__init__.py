"""Ladders, tournaments and comparisons."""

from arena.web.pages.competitions import comparisons, ladders, tournaments
from arena.web.pages.competitions.tournaments import document_of

ROUTES = [*ladders.ROUTES, *tournaments.ROUTES, *comparisons.ROUTES]

__all__ = ["ROUTES", "document_of"]
