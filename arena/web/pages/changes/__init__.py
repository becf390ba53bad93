"""The changes that visitors who have logged in make: a form for each, and a question where a page
links to one with its values."""

from arena.web.pages.changes.forms import FORMS, ROUTES

__all__ = ["FORMS", "ROUTES"]
