"""The pages for organisers who have logged in: what runs, and a form for every change."""

from arena.web.pages.organiser import forms, overview, queue, workers

ROUTES = [
    *overview.ROUTES,
    *workers.ROUTES,
    *queue.ROUTES,
    *forms.ROUTES,
]

__all__ = ["ROUTES"]
