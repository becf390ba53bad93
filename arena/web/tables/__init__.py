"""Tables: a person plays against the ladders' bots in the browser."""

from arena.web.tables import lobby, side_by_side, table_page
from arena.web.tables.attendance import Attendance

ROUTES = [*lobby.ROUTES, *table_page.ROUTES, *side_by_side.ROUTES]

__all__ = ["ROUTES", "Attendance"]
