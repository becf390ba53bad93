"""The pages for organisers who have logged in: what runs, and a form for every change."""

from arena.web.pages.organiser import forms, overview, workers

ROUTES = [
    *overview.ROUTES,
    *workers.ROUTES,
    *forms.ROUTES,
]

__all__ = ["ROUTES"]
