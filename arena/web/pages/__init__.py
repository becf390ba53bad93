"""The pages: each turns a request into an answer, and lists its addresses."""

from arena.web.pages import (
    bots,
    changes,
    competitions,
    games,
    home,
    login,
    own,
    owners,
    played,
    search,
)
from arena.web.pages.error_page import HANDLERS

ROUTES = [
    *home.ROUTES,
    *changes.ROUTES,
    *competitions.ROUTES,
    *bots.ROUTES,
    *owners.ROUTES,
    *played.ROUTES,
    *games.ROUTES,
    *search.ROUTES,
    *login.ROUTES,
    *own.ROUTES,
]

__all__ = ["HANDLERS", "ROUTES", "changes"]
