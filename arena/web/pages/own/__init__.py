"""The pages for contestants who have logged in: their bots, their faults, their logs; and the
changes that organisers make and look up."""

from arena.web.pages.own import audit, bots, changes, faults, log, submit

ROUTES = [
    *audit.ROUTES,
    *bots.ROUTES,
    *changes.ROUTES,
    *faults.ROUTES,
    *log.ROUTES,
    *submit.ROUTES,
]

__all__ = ["ROUTES"]
