"""The JSON API: what the pages show, for programs, by the same questions to the store."""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand

if TYPE_CHECKING:
    from arena.web.api.app import api_app
    from arena.web.api.error_answer import HANDLERS
    from arena.web.api.operations import add_operations

__all__ = ["HANDLERS", "add_operations", "api_app"]

__getattr__ = on_demand(__name__)
