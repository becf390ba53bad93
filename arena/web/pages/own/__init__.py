"""The pages for contestants who have logged in: their bots, their faults, their logs."""

from arena.web.pages.own import bots, faults, log, submit

ROUTES = [
    *bots.ROUTES,
    *faults.ROUTES,
    *log.ROUTES,
    *submit.ROUTES,
]

__all__ = ["ROUTES"]
