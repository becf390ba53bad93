"""A whole arena, put together from the packages below: queue, workers, scheduler, recorder, server.

Prints nothing: failures are raised, and what a user should know is passed to callbacks.
"""

from arena.hosting.arena import Plan, host
from arena.hosting.backups import BackupPlan
from arena.hosting.league_server import LeagueServer
from arena.hosting.pages import Pages

__all__ = ["BackupPlan", "LeagueServer", "Pages", "Plan", "host"]
