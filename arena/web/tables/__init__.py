"""Tables: a person plays against the ladders' bots in the browser."""

from arena.web.tables import compare, lobby, table
from arena.web.tables.attendance import Attendance

ROUTES = [*lobby.ROUTES, *table.ROUTES, *compare.ROUTES]

__all__ = ["ROUTES", "Attendance"]
