"""The pages: each turns a request into an answer, and lists its addresses."""

from arena.web.pages import (
    bots,
    changes,
    competitions,
    crawlers,
    feeds,
    games,
    home,
    join,
    list_events,
    login,
    organiser,
    own,
    owners,
    pictures,
    played,
    search,
)
from arena.web.pages.error_page import HANDLERS

ROUTES = [
    *home.ROUTES,
    *crawlers.ROUTES,
    *feeds.ROUTES,
    *list_events.ROUTES,
    *competitions.ROUTES,
    *bots.ROUTES,
    *owners.ROUTES,
    *played.ROUTES,
    *games.ROUTES,
    *search.ROUTES,
    *pictures.ROUTES,
    *join.ROUTES,
    *login.ROUTES,
    *own.ROUTES,
    *changes.ROUTES,
    *organiser.ROUTES,
]

__all__ = ["HANDLERS", "ROUTES", "list_events"]
