"""The pages for organisers who have logged in: what runs, and a form for every change."""

from arena.web.pages.organiser import disk, forms, notices, overview, queue, token_list, workers

ROUTES = [
    *overview.ROUTES,
    *workers.ROUTES,
    *queue.ROUTES,
    *token_list.ROUTES,
    *disk.ROUTES,
    *notices.ROUTES,
    *forms.ROUTES,
]

__all__ = ["ROUTES"]
