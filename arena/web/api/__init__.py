"""The JSON API: what the pages show, for programs, by the same questions to the store."""

from arena.web.api.app import api_app
from arena.web.api.error_answer import HANDLERS
from arena.web.api.operations import add_operations

__all__ = ["HANDLERS", "add_operations", "api_app"]
