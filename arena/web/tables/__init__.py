"""Tables: a person plays against the ladders' bots in the browser."""

from arena.web.tables import compare, offer, table
from arena.web.tables.attended import Attendance

ROUTES = [*offer.ROUTES, *table.ROUTES, *compare.ROUTES]

__all__ = ["ROUTES", "Attendance"]
