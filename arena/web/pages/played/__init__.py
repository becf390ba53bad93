"""Matches: lists, single ones, their deals; in play, and on the TV."""

from arena.web.pages.played import analyses, deals, live, match, matches, offline, tv
from arena.web.pages.played.match import Moment, moment_of
from arena.web.pages.played.matches import title_of, wanted_matches

ROUTES = [
    *matches.ROUTES,
    *match.ROUTES,
    *analyses.ROUTES,
    *offline.ROUTES,
    *deals.ROUTES,
    *live.ROUTES,
    *tv.ROUTES,
]

__all__ = ["ROUTES", "Moment", "live", "match", "moment_of", "title_of", "wanted_matches"]
