"""The pages for organisers who have logged in: what runs, and what they may change."""

from arena.web.pages.organiser import disk, notices, overview, queue, token_list, workers

ROUTES = [
    *overview.ROUTES,
    *workers.ROUTES,
    *queue.ROUTES,
    *token_list.ROUTES,
    *disk.ROUTES,
    *notices.ROUTES,
]

__all__ = ["ROUTES"]
