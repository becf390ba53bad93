"""The JSON API: what the pages show, for programs, by the same questions to the store."""

from arena.web.api.app import api_app

__all__ = ["api_app"]
