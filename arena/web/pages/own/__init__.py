"""The pages for contestants who have logged in: their bots, their faults, their logs; and the
changes that organisers look up."""

from arena.web.pages.own import audit, bots, faults, log, submit

ROUTES = [
    *audit.ROUTES,
    *bots.ROUTES,
    *faults.ROUTES,
    *log.ROUTES,
    *submit.ROUTES,
]

__all__ = ["ROUTES"]
